import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isPublicAddress, pinnedLookup } from '@tenon/a2a/net'
import { expect, onTestFinished, test } from 'vitest'
import { eventsOf, textOf } from '../../../test/kit/call-tool.js'
import { checkedUrl } from './checked-url.js'
import { fetchUrlTool } from './fetch-url.js'
import { refusedAddress } from './refused-address.js'

async function server(answer: (path: string, port: number) => { status: number; headers?: Record<string, string> }) {
  const asked: string[] = []
  const http = createServer((request, response) => {
    asked.push(request.url ?? '')
    const { status, headers } = answer(request.url ?? '', (http.address() as AddressInfo).port)
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end('secret')
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void http.close())
  return { port: (http.address() as AddressInfo).port, asked }
}

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.100.100.200/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[ff02::1]/',
  'http://①②⑦.⓪.⓪.①/',
])('%s is refused before anything is sent', (url) => {
  expect(() => checkedUrl(url, [])).toThrow(expect.objectContaining({ code: 'url-refused' }))
})

test.each(['ftp://example.com/', 'file:///etc/passwd', 'data:text/plain,a', 'https://user:secret@example.com/'])(
  '%s is refused by name',
  (url) => expect(() => checkedUrl(url, [])).toThrow(expect.objectContaining({ code: 'url-refused' })),
)

test('what is no URL is refused by name', () => {
  for (const url of ['example.com', '', 'http://', 'http://[::1'])
    expect(() => checkedUrl(url, [])).toThrow(expect.objectContaining({ code: 'url-invalid' }))
})

test('public addresses are public', () => {
  for (const address of ['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111'])
    expect([address, isPublicAddress(address)]).toEqual([address, true])
  expect(isPublicAddress('example.com')).toBe(false)
})

test('a name that leads to this machine is refused when it is resolved', async () => {
  const { port, asked } = await server(() => ({ status: 200 }))
  await expect(eventsOf(fetchUrlTool(), { url: `http://localhost:${port}/` })).rejects.toMatchObject({
    code: 'url-refused',
  })
  expect(asked).toEqual([])
})

test('the resolver hands on no address of a name that leads to this machine', async () => {
  const resolved = new Promise((resolve) =>
    pinnedLookup(refusedAddress)('localhost', { all: true }, (error, addresses) => resolve(error ?? addresses)),
  )
  expect(await resolved).toMatchObject({ code: 'url-refused' })
})

test('a redirect is checked like the first address', async () => {
  const { port, asked } = await server((path, port) =>
    path === '/' ? { status: 302, headers: { location: `http://127.0.0.1:${port}/private` } } : { status: 200 },
  )
  // Only `localhost` is allowed; the redirect names the same machine by its address.
  const fetch = fetchUrlTool({ allowed: [`localhost:${port}`] })
  await expect(eventsOf(fetch, { url: `http://localhost:${port}/` })).rejects.toMatchObject({ code: 'url-refused' })
  expect(asked).toEqual(['/'])
})

test('a redirect to another kind of address is refused', async () => {
  const { port } = await server(() => ({ status: 301, headers: { location: 'file:///etc/passwd' } }))
  const fetch = fetchUrlTool({ allowed: ['127.0.0.1'] })
  await expect(eventsOf(fetch, { url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({ code: 'url-refused' })
})

test('five redirects are followed, six are not', async () => {
  const { port, asked } = await server((path) => {
    const left = Number(path.slice(1))
    return left === 0 ? { status: 200 } : { status: 307, headers: { location: `/${left - 1}` } }
  })
  const fetch = fetchUrlTool({ allowed: ['127.0.0.1'] })
  expect(await textOf(fetch, { url: `http://127.0.0.1:${port}/5` })).toBe(`http://127.0.0.1:${port}/0\nsecret`)
  await expect(eventsOf(fetch, { url: `http://127.0.0.1:${port}/6` })).rejects.toMatchObject({ code: 'fetch-failed' })
  expect(asked).toHaveLength(12)
})
