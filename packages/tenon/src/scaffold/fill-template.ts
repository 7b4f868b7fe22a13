/** The name of a joint as files, tools and programs write it. */
export type JointName = { readonly kebab: string; readonly snake: string; readonly camel: string }

export function jointName(kebab: string): JointName {
  const camel = kebab.replace(/-+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return { kebab, snake: kebab.replaceAll('-', '_'), camel }
}

/** Templates are files that work as they stand, under the name `sample-joint`; here they get their own. */
export const fillTemplate = (template: string, { kebab, snake, camel }: JointName): string =>
  template.replaceAll('sample-joint', kebab).replaceAll('sample_joint', snake).replaceAll('sampleJoint', camel)
