import type { Agent } from 'undici'
import { McpError } from '../errors.js'
import type { Diagnose } from './diagnostic.js'
import { exchange, type HttpHandlers, type HttpHead, type HttpRequest } from './http-exchange.js'
import type { UpstreamAuth } from './upstream.js'

const MAX_REDIRECTS = 5

export type DoorOptions = {
  readonly name: string
  readonly url: URL
  readonly agent: Agent
  readonly headers: (() => Readonly<Record<string, string>>) | undefined
  readonly auth: UpstreamAuth | undefined
  readonly diagnose: Diagnose
}

export type DoorHandlers = Omit<HttpHandlers, 'fail'> & {
  /** Called instead of all others. */
  refused(error: McpError): void
  fail(error: Error, sent: boolean): void
}

/** The way to one HTTP server: adds what lets us in, follows redirects within the origin, and leads nowhere else. */
export class HttpDoor {
  constructor(readonly options: DoorOptions) {}

  knock(request: HttpRequest, handlers: DoorHandlers): { abort(): void } {
    const state: Knock = { aborted: false, current: undefined, redirects: 0, challenged: false, renewed: false }
    this.#enter(request, handlers, state)
    return {
      abort() {
        state.aborted = true
        state.current?.abort()
      },
    }
  }

  /** Where nothing has to be shown, nothing is waited for. */
  #enter(request: HttpRequest, handlers: DoorHandlers, state: Knock): void {
    const { auth } = this.options
    if (auth === undefined) this.#go(request, NOTHING, handlers, state)
    else
      passOf(auth, request).then(
        (pass) => this.#go(request, pass, handlers, state),
        (error) => {
          if (!state.aborted) handlers.refused(asMcpError(error))
        },
      )
  }

  #go(request: HttpRequest, pass: Pass, handlers: DoorHandlers, state: Knock): void {
    if (state.aborted) return
    const headers = { ...this.options.headers?.(), ...pass.headers, ...request.headers }
    let elsewhere = false
    state.current = exchange(
      this.options.agent,
      { ...request, headers },
      {
        head: (head) => {
          elsewhere =
            this.#redirect(request, head, handlers, state) || this.#challenge(request, head, pass, handlers, state)
          if (!elsewhere) handlers.head(head)
        },
        data: (chunk) => {
          if (!elsewhere) handlers.data(chunk)
        },
        end: () => {
          if (!elsewhere) handlers.end()
        },
        fail: (error, sent) => {
          if (!elsewhere) handlers.fail(error, sent)
        },
      },
    )
  }

  #redirect(request: HttpRequest, head: HttpHead, to: DoorHandlers, state: Knock): boolean {
    const { location } = head.headers
    if (head.status < 300 || head.status > 308 || head.status === 304 || location === undefined) return false
    const target = URL.canParse(location, request.url.href) ? new URL(location, request.url) : undefined
    const { name, diagnose } = this.options
    if (target?.origin !== request.url.origin) {
      const where = target?.origin ?? 'an address that cannot be read'
      diagnose('redirect-refused', where)
      to.refused(
        new McpError(
          'mcp-redirect-refused',
          `${name} redirects to ${where}; a redirect to another origin is not followed. If you trust it, configure that address.`,
        ),
      )
      return true
    }
    if (++state.redirects > MAX_REDIRECTS) {
      to.refused(new McpError('mcp-redirect-refused', `${name} redirects without end.`))
      return true
    }
    queueMicrotask(() => this.#enter({ ...request, url: target }, to, state))
    return true
  }

  #challenge(request: HttpRequest, head: HttpHead, pass: Pass, to: DoorHandlers, state: Knock): boolean {
    const { auth } = this.options
    const { status, headers } = head
    if (auth === undefined) return false
    const nonce = headers['dpop-nonce']
    const observed = nonce === undefined ? undefined : auth.observe?.(request.url, nonce)
    const challenge = headers['www-authenticate']
    // Nothing is wrong with the token: its proof is made again with what the server wants to see in it.
    if (status === 401 && observed !== undefined && !state.renewed && /error="?use_dpop_nonce/.test(challenge ?? '')) {
      state.renewed = true
      void observed.then(() => this.#enter(request, to, state))
      return true
    }
    if (state.challenged || (status !== 401 && status !== 403)) return false
    state.challenged = true
    const refused = (): void => {
      if (state.aborted) return
      to.head({ status, headers })
      to.end()
    }
    auth.challenged(status, challenge, pass.token).then(
      (again) => {
        if (again) this.#enter(request, to, state)
        else refused()
      },
      (error) => {
        if (!state.aborted) to.refused(asMcpError(error))
      },
    )
    return true
  }
}

/** What is shown with one request to be let in. */
type Pass = { readonly token: string | undefined; readonly headers: Readonly<Record<string, string>> }

const NOTHING: Pass = { token: undefined, headers: {} }

async function passOf(auth: UpstreamAuth, { method, url }: HttpRequest): Promise<Pass> {
  const token = await auth.token()
  if (token === undefined) return NOTHING
  return { token, headers: (await auth.prove?.(method, url, token)) ?? { authorization: `Bearer ${token}` } }
}

type Knock = {
  aborted: boolean
  current: { abort(): void } | undefined
  redirects: number
  challenged: boolean
  /** The proof was made again. */
  renewed: boolean
}

const asMcpError = (error: unknown): McpError =>
  error instanceof McpError ? error : new McpError('mcp-auth-required', 'Signing in failed.', { cause: error })
