import { UriTemplate } from '@modelcontextprotocol/client'

/** The variables of a URI template (RFC 6570), in its order; none for what is a plain address or no template. */
export function templateVariables(template: string): readonly string[] {
  return UriTemplate.isTemplate(template) ? [...new Set(parsed(template)?.variableNames ?? [])] : []
}

/** The address that a template makes of these values. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return parsed(template)?.expand({ ...values }) ?? template
}

function parsed(template: string): UriTemplate | undefined {
  try {
    return new UriTemplate(template)
  } catch {
    return undefined
  }
}
