// Shows the card of an agent where the specification wants it: node card-server.mjs FOLDER/card.json prints the address.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const card = readFileSync(process.argv[2] ?? 'card.json', 'utf8')
const server = createServer((request, response) => {
  if (request.url !== '/.well-known/agent-card.json') {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(card.replaceAll('CARD_URL', url()))
})
const url = () => `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`
server.listen(0, '127.0.0.1', () => console.log(url()))
