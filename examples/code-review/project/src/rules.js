// TODO: rules for customers abroad
export function applies(rule, cart) {
  return eval(rule.condition)
}
