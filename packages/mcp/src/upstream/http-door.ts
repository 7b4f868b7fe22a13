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
    const state: Knock = { aborted: false, current: undefined, redirects: 0, challenged: false }
    const { auth } = this.options
    if (auth === undefined) this.#go(request, undefined, handlers, state)
    else
      auth.token().then(
        (token) => this.#go(request, token, handlers, state),
        (error) => {
          if (!state.aborted) handlers.refused(asMcpError(error))
        },
      )
    return {
      abort() {
        state.aborted = true
        state.current?.abort()
      },
    }
  }

  #go(request: HttpRequest, token: string | undefined, handlers: DoorHandlers, state: Knock): void {
    if (state.aborted) return
    const headers = {
      ...this.options.headers?.(),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...request.headers,
    }
    let elsewhere = false
    state.current = exchange(
      this.options.agent,
      { ...request, headers },
      {
        head: (head) => {
          elsewhere =
            this.#redirect(request, head, token, handlers, state) ||
            this.#challenge(request, head, token, handlers, state)
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

  #redirect(request: HttpRequest, head: HttpHead, token: string | undefined, to: DoorHandlers, state: Knock): boolean {
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
    queueMicrotask(() => this.#go({ ...request, url: target }, token, to, state))
    return true
  }

  #challenge(
    request: HttpRequest,
    { status, headers }: HttpHead,
    token: string | undefined,
    to: DoorHandlers,
    state: Knock,
  ): boolean {
    const { auth } = this.options
    if (auth === undefined || state.challenged || (status !== 401 && status !== 403)) return false
    state.challenged = true
    const refused = (): void => {
      if (state.aborted) return
      to.head({ status, headers })
      to.end()
    }
    auth.challenged(status, headers['www-authenticate'], token).then(
      async (again) => {
        if (again) this.#go(request, await auth.token(), to, state)
        else refused()
      },
      (error) => {
        if (!state.aborted) to.refused(asMcpError(error))
      },
    )
    return true
  }
}

type Knock = {
  aborted: boolean
  current: { abort(): void } | undefined
  redirects: number
  challenged: boolean
}

const asMcpError = (error: unknown): McpError =>
  error instanceof McpError ? error : new McpError('mcp-auth-required', 'Signing in failed.', { cause: error })
