// Tenon's MCP host as the suite's client under test: lists what a server has and calls every tool, as a run would.
import { createPrivateKey, createSign, randomUUID } from 'node:crypto'
import { enterpriseAssertion, McpHost, memoryCredentials, memoryPins, oauthAuth } from '@tenon/mcp'
import { ajvCompiler } from '../packages/tenon/dist/schema/ajv-compiler.js'

const url = process.argv.at(-1) ?? ''
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')

/** A person whose browser signs in at once. */
const desk = {
  redirectUrl: 'http://localhost:3000/callback',
  async authorize(address) {
    const response = await fetch(address, { redirect: 'manual' })
    const answer = new URL(response.headers.get('location') ?? '', address).searchParams
    const [code, state, iss] = ['code', 'state', 'iss'].map((name) => answer.get(name) ?? undefined)
    return { code: code ?? '', ...(state && { state }), ...(iss && { iss }) }
  },
}

/** RFC 7523: the client shows who it is by a signed statement. */
function assertion(_headers, params, tokenUrl, metadata) {
  const algorithm = context.signing_algorithm ?? 'ES256'
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: context.client_id,
    sub: context.client_id,
    aud: metadata?.issuer ?? String(tokenUrl),
    iat: now,
    exp: now + 300,
    jti: randomUUID(),
  }
  const body = `${part({ alg: algorithm, typ: 'JWT' })}.${part(claims)}`
  const key = { key: createPrivateKey(context.private_key_pem), dsaEncoding: 'ieee-p1363' }
  const signed = createSign('sha256').update(body).sign(key).toString('base64url')
  params.set('client_id', context.client_id)
  params.set('client_assertion', `${body}.${signed}`)
  params.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
}

/** The person has signed in at the identity provider of the company. */
function ofCompany() {
  const { idp_token_endpoint: tokenEndpoint, idp_client_id: clientId, idp_id_token: idToken } = context
  return enterpriseAssertion({ tokenEndpoint, clientId, idToken: () => idToken })
}

const auth = scenario.startsWith('auth/')
  ? oauthAuth({
      name: 'suite',
      url,
      principal: 'conformance',
      store: memoryCredentials(),
      clientName: 'tenon-conformance',
      clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
      dpop: scenario.startsWith('auth/dpop'),
      ...(scenario.includes('client-credentials') ? { grant: 'client-credentials' } : {}),
      ...(scenario.includes('wif') ? { grant: 'assertion', assertion: () => context.valid_jwt } : {}),
      ...(scenario.includes('enterprise') ? { grant: 'assertion', assertion: ofCompany() } : {}),
      ...(/client-credentials|wif|enterprise/.test(scenario) ? {} : { desk }),
      ...(context.client_id && scenario !== 'auth/client-credentials-jwt'
        ? { client: { id: context.client_id, secret: context.client_secret } }
        : {}),
      ...(scenario === 'auth/client-credentials-jwt'
        ? { client: { id: context.client_id }, clientAuthentication: assertion }
        : {}),
    })
  : undefined

const host = new McpHost({
  // The suite runs its scenarios all at once: a slow answer says nothing about the era.
  servers: [
    {
      name: 'suite',
      target: { kind: 'http', url },
      limits: { probeTimeoutMs: 20_000, startTimeoutMs: 40_000 },
      ...(auth && { auth }),
    },
  ],
  compile: ajvCompiler,
  clientInfo: { name: 'tenon-conformance', version: '1' },
  pins: memoryPins(),
  capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
  automatic: {
    roots: [{ uri: 'file:///project', name: 'project' }],
    sample: async () => ({
      role: 'assistant',
      content: { type: 'text', text: 'sampled' },
      model: 'none',
      stopReason: 'endTurn',
    }),
  },
  onDiagnostic: ({ code, detail }) => console.error(code, detail ?? ''),
})

/** A value that the schema takes, for tools that need something. */
function sample(schema) {
  if (schema === true || schema === undefined) return 'x'
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'object')
    return Object.fromEntries((schema.required ?? []).map((name) => [name, sample(schema.properties?.[name])]))
  return { integer: 1, number: 1, boolean: true, array: [] }[schema.type] ?? 'x'
}

async function call(name, args) {
  const tool = await host.tool('suite', name)
  const runId = `run_${randomUUID()}`
  let answers = []
  let handle
  for (let attempt = 1; attempt < 20; attempt++) {
    const asked = []
    const at = { runId, callId: 'call_1', key: runId, attempt, signal: new AbortController().signal, handle, answers }
    for await (const event of tool.run(args, { ...at, progress() {} })) {
      if (event.kind === 'handle') handle = event.handle
      if (event.kind === 'result') return event
      if (event.kind === 'needs-input')
        for (const need of event.needs)
          asked.push({
            key: need.key,
            resume: need.resume,
            answer: { action: 'accept', content: need.schema?.required ? sample(need.schema) : {} },
          })
    }
    if (asked.length === 0) break
    answers = asked
  }
  return undefined
}

const { catalogue } = host.server('suite')

/** What the suite wants to be said to tools of its own. */
const ARGUMENTS = {
  add_numbers: () => ({ a: 5, b: 3 }),
  json_schema_echo: () => ({ schema: catalogue.tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.input }),
}

try {
  await catalogue.list('tools')
  const calls =
    context.toolCalls ??
    catalogue.tools.map(({ name, input }) => ({
      name,
      arguments: ARGUMENTS[name]?.() ?? sample(input),
    }))
  await Promise.all(
    calls.map((one) =>
      call(one.name, one.arguments ?? {}).then(
        (result) => console.error(one.name, result?.isError ? 'failed' : 'done'),
        (error) => {
          console.error(one.name, error.code, error.message)
          process.exitCode = 1
        },
      ),
    ),
  )
} catch (error) {
  console.error(error.code, error.message, error.cause?.message ?? '')
  process.exitCode = 1
} finally {
  await host.close()
}
