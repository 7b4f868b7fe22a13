import type { UriTemplate } from '@modelcontextprotocol/client'

/** The variables of a URI template (RFC 6570), in its order; none for what is a plain address or no template. */
export async function templateVariables(template: string): Promise<readonly string[]> {
  const { UriTemplate } = await import('../official-client.js')
  return UriTemplate.isTemplate(template) ? [...new Set((await parsed(template))?.variableNames ?? [])] : []
}

/** The address that a template makes of these values. */
export async function fillTemplate(template: string, values: Readonly<Record<string, string>>): Promise<string> {
  return (await parsed(template))?.expand({ ...values }) ?? template
}

async function parsed(template: string): Promise<UriTemplate | undefined> {
  const { UriTemplate } = await import('../official-client.js')
  try {
    return new UriTemplate(template)
  } catch {
    return undefined
  }
}
