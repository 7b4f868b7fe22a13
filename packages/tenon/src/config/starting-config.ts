/** What `tenon init` writes: everything that most people change, as it is when nothing is changed. */
export const STARTING_CONFIG = `# yaml-language-server: $schema=./node_modules/tenon/schema/tenon.schema.json
# Tenon's configuration. Everything here is optional; tenon doctor shows what holds.

# The agent that is used when none is named.
agent: assistant

agents:
  assistant:
    description: Works on the files of this folder.
    # An alias of models below, or provider/model. Absent: what tenon doctor finds.
    # model: anthropic/claude-sonnet-5
    system: |
      You are a careful assistant. Look before you answer, and say what you did.
    # Tools that are offered; * stands for any characters. Absent: all.
    # tools: [list_files, read_file, search_files, write_file, edit_file, ask_user, todo]
    limits:
      steps: 50
      # money: 0.50      # US dollars
      # wall: 10m        # time in which it works; waiting for you does not count

# Models under names of your own. Keys come from the environment and are never printed.
# models:
#   fast:
#     provider: openai
#     model: gpt-6.1-sol
#     apiKey: \${OPENAI_API_KEY}
#   here:
#     provider: openai-compatible
#     baseUrl: http://127.0.0.1:8080/v1
#     model: qwen3-4b

# Any matching deny wins; else the first rule that matches; else: calls that change nothing run, all others ask.
policy:
  rules:
    - allow: "read_*"
    - ask: write_file
      reason: it changes files
    # - allow: write_file
    #   args: { /path: "reports/*" }
    # - deny: fetch_url
    #   trustAtMost: untrusted

tools:
  # builtin: { fetch_url: false }
  # The folder that file tools cannot leave.
  workspace: .

# MCP servers: programs that run as you, or addresses. tenon mcp import finds those of other hosts.
# mcp:
#   import: [.mcp.json]
#   servers:
#     files:
#       command: npx
#       args: [-y, "@modelcontextprotocol/server-filesystem", .]
#       allow: ["read_*", "list_*"]
#     issues:
#       url: https://example.com/mcp     # tenon mcp login issues

# store:
#   dir: .tenon        # absent: the data folder of the user
`
