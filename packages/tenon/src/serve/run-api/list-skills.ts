import { skillState } from '../../skills/skill-state.js'
import { route } from './route.js'

export const listSkills = route({
  name: 'listSkills',
  method: 'GET',
  path: '/skills',
  about: 'Skills of this place, with everything that was found wrong with them.',
  scope: 'runs:read',
  answers: { 200: { about: 'The skills.', schema: 'Skills' } },
  answer({ ports: { host } }) {
    const skills = (host.skills?.current().skills ?? []).map((skill) => {
      const { name, description, loadable, modelVisible, bodyTokens, diagnostics, root } = skill
      return {
        name,
        state: skillState(skill),
        scope: root.scope,
        ...(root.server === undefined ? {} : { server: root.server }),
        description: description ?? null,
        loadable,
        modelVisible,
        bodyTokens,
        diagnostics,
      }
    })
    const problems = (host.skills?.problems() ?? []).map(({ message }) => message)
    return { status: 200, body: { skills, problems } }
  },
})
