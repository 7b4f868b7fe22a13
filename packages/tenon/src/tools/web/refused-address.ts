import { HostError } from '../../errors.js'

export const refusedAddress = (hostname: string): HostError =>
  new HostError(
    'url-refused',
    `${hostname} is an address of this machine or of a private network, which fetch_url does not reach.`,
  )
