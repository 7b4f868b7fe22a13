import { route } from './route.js'

export const showDocument = route({
  name: 'getDocument',
  method: 'GET',
  path: '/openapi.json',
  about: 'This description.',
  answers: { 200: { about: 'OpenAPI 3.1.', schema: 'Document' } },
  answer: ({ ports }) => ({ status: 200, body: ports.document }),
})
