// A server that offers one skill, made with the official SDK and its skills extension.
import { McpServer } from '@modelcontextprotocol/server'
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

const files = memorySkillFiles({
  'interview/SKILL.md': '---\nname: interview\ndescription: Interviews people.\n---\nAsk three questions first.\n',
  'interview/references/more.md': 'More.\n',
})
const server = new McpServer({ name: 'house', version: '1' })
const catalogue = await SkillsExtension.load(files)
catalogue.attach(server)
await server.connect(new StdioServerTransport())
