import { SCOPES } from '../serve/scopes.js'
import { choice, duration, flag, json, list, map, number, object, secret, text, type ValueOf } from './field.js'
import { PLANNER_NAMES } from './planner-names.js'

const NAME = 'a name of letters, digits, dots, dashes and underscores'

const rule = object(
  'One line of the policy. Any matching deny wins; else the first rule that matches.',
  {
    allow: text('Tools that run without asking; * stands for any characters.', { examples: ['read_*'] }),
    ask: text('Tools that a person is asked about.', { examples: ['write_file'] }),
    deny: text('Tools that never run.', { examples: ['fetch_url'] }),
    args: json('JSON pointers into the arguments with the value that must stand there; * is a wildcard in texts.'),
    effect: choice('Only tools with this effect.', ['pure', 'idempotent', 'once']),
    origin: object('Only tools of this origin.', {
      kind: choice('What carries the tool out.', ['function', 'mcp', 'skill', 'peer', 'run']),
      name: text('Whose it is: the server, skill, peer or agent.'),
    }),
    outward: flag('Only tools that reach out of the workspace.'),
    trustAtMost: choice('Holds once something of this trust or less is in the view.', [
      'host',
      'user',
      'vetted',
      'untrusted',
    ]),
    reason: text('Shown to the person who is asked, and to the model on a denial.'),
  },
  { oneOf: ['allow', 'ask', 'deny'] },
)

const policy = object('What may run, what asks and what is denied.', {
  otherwise: choice('For calls that no rule matches. Absent: pure calls run, everything else asks.', [
    'allow',
    'ask',
    'deny',
  ]),
  rules: list('Looked through in order.', rule),
})

const limits = object('Bounds of one run.', {
  steps: number('Turns of the model.', { min: 1, max: 1_000_000, integer: true }),
  calls: number('Tool calls.', { min: 0, max: 1_000_000, integer: true }),
  tokens: number('Input and output tokens of all turns. Past it no turn begins; one that has begun is not cut.', {
    min: 1,
    max: 1e12,
    integer: true,
  }),
  money: number('US dollars, held like tokens. A model without prices costs nothing.', { min: 0, max: 1e9 }),
  wall: duration('Time in which the run works; waiting for a person does not count.'),
})

const settings = object('How the model is asked.', {
  maxOutputTokens: number('The most that one answer may be.', { min: 1, max: 1e7, integer: true }),
  temperature: number('Randomness.', { min: 0, max: 2 }),
  topP: number('Nucleus sampling.', { min: 0, max: 1 }),
  reasoning: choice('How much the model thinks first.', ['off', 'low', 'medium', 'high']),
  parallelCalls: flag('Whether the model may propose several calls in one turn.'),
})

const cardSkill = object(
  'One kind of task.',
  {
    id: text('A short name for programs.'),
    name: text('A name for people.'),
    description: text('What it does.'),
    tags: list('Words to find it by.', text('A word.')),
    examples: list('Things to ask for.', text('An example.')),
  },
  { required: ['id', 'name', 'description'] },
)

const agent = object('What a run is driven with.', {
  description: text('For people, and for agents that may delegate to this one.'),
  model: text('An alias of models, or provider/model. Absent: the model that tenon doctor shows.', {
    examples: ['openai/gpt-6.1-sol', 'anthropic/claude-sonnet-5', 'ollama/qwen3:4b'],
    interpolate: true,
  }),
  system: text('The system prompt.'),
  instructions: text('AGENTS.md files are read from the workspace unless this is off.', {
    pattern: { source: '^(auto|off)$', means: 'auto or off' },
    examples: ['auto', 'off'],
  }),
  tools: list('Names of the tools that are offered; * stands for any characters. Absent: all.', text('A tool name.')),
  resources: list(
    'Resources of MCP servers that its view holds from the start.',
    text('server and address, with a colon between them.', { examples: ['docs:file:///guide.md'] }),
  ),
  policy,
  planner: choice('How the next step is decided. Absent: react.', PLANNER_NAMES),
  limits,
  settings,
  output: object(
    'The shape of the result.',
    { name: text('What the result is called.'), schema: json('JSON Schema of the result.') },
    { required: ['schema'] },
  ),
  public: object('Offers the agent to others where tenon serve runs: over A2A, as a tool over MCP, and as a model.', {
    version: text('The version that its card shows. Absent: 1.0.0.'),
    skills: list(
      'What it is good for, as its card says it. Absent: one skill with its name and description.',
      cardSkill,
    ),
    inputModes: list('Media types that messages may have. Absent: any.', text('Such as text/plain or image/*.')),
    whileWorking: choice('What becomes of a message to a task at work. Absent: queue.', ['queue', 'refuse']),
    grpc: number('Serves it over gRPC as well, on this port; without TLS. Absent: not.', {
      min: 1,
      max: 65_535,
      integer: true,
    }),
    takes: object('Which tasks it takes. Others are rejected before any work.', {
      callers: list('Whose. Absent: those of everybody who may call.', text('An owner; * stands for any characters.')),
      bytes: number('The most that the parts of a message may have.', { min: 1, max: 1e9, integer: true }),
    }),
    extendedCard: object('What its card says besides to those who say who they are. Absent: no such card.', {
      description: text('What it does.'),
      skills: list('All that it is good for.', cardSkill),
    }),
    budget: flag('Keeps to the tokens and the money that callers name, and tells them what was used. Absent: true.'),
    answers: choice('How a message is answered: message for what is over at once. Absent: task.', ['task', 'message']),
  }),
})

const callers = (doc: string) => map(doc, 'owner', secret('What the caller shows.'))

const ownerPrefix = text(
  'Put before what the caller is called here, to make its owner: "" where the same name is the same owner in every scheme. Required beside other schemes.',
)

const serve = object('How tenon serve offers public agents and the run API.', {
  url: text('The address under which clients reach this server, behind a proxy. Absent: where it listens.', {
    interpolate: true,
    pattern: { source: '^https?://', means: 'an address that begins with http:// or https://' },
  }),
  versions: list('Versions of A2A. Absent: both.', choice('A version.', ['1.0', '0.3'])),
  sign: flag('Signs Agent Cards with a key of this store. Absent: true.'),
  bodyLimit: number('Bytes of a request. Absent: 1 MiB.', { min: 1_024, max: 1e9, integer: true }),
  openTasks: number('Runs of one caller that may be open at once. Absent: 1000.', { min: 1, max: 1e6, integer: true }),
  push: object('Webhooks.', {
    allow: list(
      'Hosts that are reached although they are not public.',
      text('host or host:port', { interpolate: true }),
    ),
    sign: flag('Signs what webhooks are told, with the key that signs cards. Absent: false.'),
  }),
  keep: duration('How long runs are kept after they ended, such as 30d; then they are removed. Absent: for ever.'),
  hosts: list(
    'Names under which clients reach this server, besides those of this machine and the one of url.',
    text('A host name, without port.', { interpolate: true }),
  ),
  access: object('Who may call. Absent: everybody, which is refused on addresses that others reach.', {
    bearer: callers('Bearer tokens by the name of their owner.'),
    apiKeys: callers('Keys in a header, by the name of their owner.'),
    apiKeyHeader: text('The header of keys. Absent: x-api-key.'),
    scopes: list(
      'What owners may do; the first entry that fits counts. An owner that none fits may do everything with its own runs. A token that names scopes is good for no others.',
      object(
        'What some owners may do.',
        {
          owner: text('Whom it is about; * stands for any characters.'),
          may: list('Scopes.', choice('A scope.', SCOPES)),
        },
        { required: ['owner', 'may'] },
      ),
    ),
    jwt: object(
      'Bearer tokens that an issuer signed.',
      {
        issuer: text('The issuer.', { interpolate: true }),
        audience: text('Whom tokens must be for.', { interpolate: true }),
        jwks: text('Where its keys lie. Absent: found by OpenID Connect discovery.', { interpolate: true }),
        scope: text('A scope that a caller must have.'),
        ownerClaim: text('The claim that names the caller. Absent: sub.'),
        ownerPrefix,
      },
      { required: ['issuer', 'audience'] },
    ),
    introspection: object(
      'Bearer tokens that only their issuer can read.',
      {
        issuer: text('The issuer.', { interpolate: true }),
        url: text('Where it is asked.', { interpolate: true }),
        clientId: text('Who asks.', { interpolate: true }),
        clientSecret: secret('With what.'),
        scope: text('A scope that a caller must have.'),
        ownerClaim: text('The claim that names the caller. Absent: sub.'),
        ownerPrefix,
      },
      { required: ['issuer', 'url', 'clientId', 'clientSecret'] },
    ),
    mtls: object(
      'Callers whose certificate a proxy has checked.',
      {
        header: text('The header in which the proxy names the subject.'),
        proxies: list('Addresses of proxies that are believed.', text('An IP address.')),
        ownerPrefix,
      },
      { required: ['header', 'proxies'] },
    ),
  }),
})

const model = object(
  'A way to reach a model, under a name of your own.',
  {
    provider: text('A known provider, or openai-compatible with a baseUrl, or rehearsal with a file.', {
      examples: ['openai', 'anthropic', 'gemini', 'ollama', 'local', 'openai-compatible', 'rehearsal'],
      interpolate: true,
    }),
    model: text('The name of the model at the provider.', { interpolate: true }),
    baseUrl: text('Where the API stands.', {
      interpolate: true,
      pattern: { source: '^https?://', means: 'an address that begins with http:// or https://' },
    }),
    apiKey: secret(
      'The key, best by reference: ${OPENAI_API_KEY}. Absent: the variable that the provider is known for.',
    ),
    headers: map('Sent with each request.', 'header', secret('The value of the header.')),
    dialect: choice('The wire form, where the provider does not settle it.', [
      'openai-chat',
      'openai-responses',
      'anthropic-messages',
    ]),
    prompted: choice('Offer tools by prompt, for a model without function calling.', [
      'react-text',
      'react-xml',
      'json',
    ]),
    file: text('The rehearsal file, relative to this configuration.', { interpolate: true }),
    contextWindow: number('Tokens that fit into one request.', { min: 256, max: 1e8, integer: true }),
    prices: object(
      'US dollars for a million tokens.',
      {
        input: number('Input.', { min: 0, max: 1e6 }),
        output: number('Output.', { min: 0, max: 1e6 }),
        cachedInput: number('Input that was read from a cache.', { min: 0, max: 1e6 }),
        cacheWrite: number('Input that was written to a cache.', { min: 0, max: 1e6 }),
      },
      { required: ['input', 'output'] },
    ),
  },
  { required: ['provider'] },
)

/** Of MCP, from the least to the gravest. */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

const mcpServer = object(
  'A server of the Model Context Protocol.',
  {
    command: text('The program to start.', { interpolate: true, examples: ['npx', 'uvx', 'node'] }),
    args: list('Its arguments.', text('An argument.', { interpolate: true })),
    env: map(
      'Variables that it is given on top of a minimal environment. Nothing else of yours is passed on.',
      'variable',
      secret('The value of the variable.'),
    ),
    cwd: text('The folder that it works in, relative to this configuration.', { interpolate: true }),
    url: text('Where it stands, in place of a command.', {
      interpolate: true,
      pattern: { source: '^https?://', means: 'an address that begins with http:// or https://' },
    }),
    headers: map('Sent with each request.', 'header', secret('The value of the header.')),
    transport: choice('How it is spoken to. Absent: Streamable HTTP, and HTTP+SSE where the address is an old one.', [
      'auto',
      'streamable',
      'sse',
    ]),
    era: choice(
      'The only protocol era that is spoken with it: legacy for one that offers both and asks as servers of before did. Absent: modern where it can.',
      ['legacy', 'modern'],
    ),
    enabled: flag('Off: it stays here and is not started.'),
    trusted: flag('What it says of its tools is believed (read-only, idempotent), and its output counts as vetted.'),
    allow: list('Its tools that run without asking, by their own names; * stands for any characters.', text('A tool.')),
    ask: list('Its tools that a person is asked about.', text('A tool.')),
    deny: list('Its tools that are not offered.', text('A tool.')),
    timeout: duration('Time without an answer or progress after which a request is given up.'),
    startTimeout: duration('Time in which it must be ready.'),
    logLevel: choice('The least level of messages that it is asked to log. Absent: that of all servers.', LEVELS),
    maxMessageBytes: number('The most that one message may be.', { min: 1_024, max: 1e9, integer: true }),
    oauth: object('How to sign in, where the server does not say enough by itself.', {
      clientId: text('A client that is registered already.', { interpolate: true }),
      clientSecret: secret('Its secret.'),
      scopes: list('What is asked for.', text('A scope.')),
      grant: choice(
        'By a person in a browser, as this client itself, by what the platform that it runs on says of it, or by what the identity provider of a company says of the person.',
        ['person', 'client-credentials', 'workload', 'enterprise'],
      ),
      assertionFile: text('With workload or enterprise: the file with what was signed, read anew each time.', {
        interpolate: true,
        examples: ['/var/run/secrets/tokens/mcp'],
      }),
      identityProvider: object(
        'With enterprise: who gives the grant for a server in place of an ID token.',
        {
          tokenEndpoint: text('Where tokens are exchanged.', {
            interpolate: true,
            pattern: { source: '^https?://', means: 'an address that begins with http:// or https://' },
          }),
          clientId: text('The client that we are there.', { interpolate: true }),
          clientSecret: secret('Its secret.'),
        },
        { required: ['tokenEndpoint', 'clientId'] },
      ),
      dpop: flag(
        'Binds its tokens to a key of this machine, where the server does so: stolen, they are worth nothing.',
      ),
    }),
  },
  { oneOf: ['command', 'url'] },
)

const mcp = object('Servers of the Model Context Protocol that agents may use.', {
  servers: map('Servers by name.', NAME, mcpServer),
  import: list(
    'Files of other hosts whose servers are used as well: .mcp.json, claude_desktop_config.json, mcp.json.',
    text('A file, relative to this configuration.', { interpolate: true }),
  ),
  wait: duration(
    'How long a run waits for servers before its first turn. Their tools join when they come. Absent: 5s.',
  ),
  toolTokens: number('Tokens that definitions may take; past it agents search for tools.', {
    min: 100,
    max: 1e7,
    integer: true,
  }),
  pin: choice('What was offered at first is approved, and a change asks; or every definition is taken as it comes.', [
    'first-use',
    'off',
  ]),
  sampling: flag('Servers may use the model of the agent. It costs your tokens.'),
  logLevel: choice(
    'The least level of messages that servers are asked to log, for tenon mcp list --log and --verbose. Absent: what they like.',
    LEVELS,
  ),
})

const skills = object('Agent Skills: methods that an agent takes up when a task fits.', {
  enabled: flag('Off: no skills are looked for.'),
  folders: list(
    'Folders that are searched as well, relative to this configuration. The skill folders of the project and of the user always are.',
    text('A folder.', { interpolate: true, examples: ['skills'] }),
  ),
  project: choice('Whether the skills of the project are read. Absent: trusted.', ['trusted', 'untrusted']),
  hide: list('Skills that are neither offered nor started here.', text('The name of a skill.')),
  catalogueTokens: number('Tokens that the catalogue may take; past it agents search. Absent: 4000.', {
    min: 200,
    max: 1e6,
    integer: true,
  }),
  grants: map(
    'What the scripts of a skill may have beyond their own folder. Absent: nothing.',
    'the name of a skill',
    object('For one skill.', {
      env: map('Variables.', 'variable', secret('The value, best by reference: ${NAME}.')),
      network: list(
        'Hosts that may be reached, by a proxy that HTTP clients find. Needs bubblewrap or sandbox-runtime.',
        text('host or host:port'),
      ),
      folders: list('Folders that may be read, relative to this configuration.', text('A folder.')),
      workspace: choice('The workspace, to read or also to change.', ['read', 'write']),
      time: duration('The most that one script may take. Absent: 60s.'),
      memory: number('Megabytes that one script may take. Absent: 512.', { min: 16, max: 1e6, integer: true }),
    }),
  ),
})

const sandbox = object('Where scripts of skills and commands run, apart from everything else.', {
  require: choice('The least that will do; nothing weaker is ever taken. Absent: strong.', ['strong', 'weak', 'none']),
  backend: choice('Only this one.', ['bubblewrap', 'landlock', 'sandbox-runtime', 'quickjs', 'unconfined']),
})

const command = object(
  'Switches run_command on: command lines of the model, run in the sandbox.',
  {
    workspace: choice('What a command may do to the workspace.', ['read', 'write']),
    env: map('Variables that every command has.', 'variable', secret('The value, best by reference: ${NAME}.')),
    time: duration('The most that one command may take. Absent: 2m.'),
    memory: number('Megabytes that one command may take. Absent: 2048.', { min: 16, max: 1e6, integer: true }),
  },
  { required: ['workspace'] },
)

const peer = object(
  'An agent that speaks A2A, to which work may be given.',
  {
    url: text('Where its card lies; an address without a path is that of its server.', {
      interpolate: true,
      pattern: { source: '^https?://', means: 'an address that begins with http:// or https://' },
      examples: ['https://agents.example.com'],
    }),
    description: text('What it is good for, as agents read it.'),
    headers: map('Sent with each request, to authenticate.', 'header', secret('The value of the header.')),
    allow: list('Private hosts that its card may lead to.', text('host or host:port', { interpolate: true })),
    signed: flag('Its card must be signed by one of the keys.'),
    keys: list('Public keys that may sign its card.', json('A JWK with a kid.')),
    trust: choice('How far what it says may be believed. Absent: untrusted.', ['vetted', 'untrusted']),
    questions: choice('Who hears first what it asks: a person, or the agent that gave it the work. Absent: user.', [
      'user',
      'agent',
    ]),
    timeout: duration('The most that a piece of work may take; waiting for a person does not count. Absent: 24h.'),
  },
  { required: ['url'] },
)

/** The one table of `tenon.yaml`: its validator, its JSON Schema and its type all come from here. */
export const CONFIG_TABLE = object('The configuration of Tenon.', {
  agent: text('The agent that is used when none is named.', { interpolate: true }),
  agents: map('Agents by name.', NAME, agent),
  models: map('Models by alias.', NAME, model),
  policy,
  tools: object('Tools that come with Tenon.', {
    workspace: text('The folder that the file tools are confined to, relative to this configuration.', {
      interpolate: true,
    }),
    builtin: map('Switches single tools on or off.', 'tool', flag('Whether the tool is there.')),
    trust: choice('How far files of the workspace may be believed. Absent: untrusted.', ['vetted', 'untrusted']),
    fetch: object('Bounds of fetch_url.', {
      allow: list('Private hosts that may be reached all the same.', text('host or host:port', { interpolate: true })),
    }),
    command,
  }),
  mcp,
  skills,
  sandbox,
  peers: map('Agents of others that work may be given to, over A2A.', NAME, peer),
  serve,
  store: object('Where runs are kept.', {
    dir: text('A folder, relative to this configuration. Absent: the data folder of the user.', { interpolate: true }),
  }),
})

/** A configuration whose every value has been checked. */
export type TenonConfig = ValueOf<typeof CONFIG_TABLE>
export type AgentConfig = NonNullable<TenonConfig['agents']>[string]
export type ModelConfig = NonNullable<TenonConfig['models']>[string]
export type McpConfig = NonNullable<TenonConfig['mcp']>
export type McpServerSettings = NonNullable<McpConfig['servers']>[string]
export type PeerSettings = NonNullable<TenonConfig['peers']>[string]
export type CommandConfig = NonNullable<NonNullable<TenonConfig['tools']>['command']>
export type SandboxConfig = NonNullable<TenonConfig['sandbox']>
export type ServeConfig = NonNullable<TenonConfig['serve']>
export type SkillsConfig = NonNullable<TenonConfig['skills']>
export type PolicyConfig = NonNullable<TenonConfig['policy']>
