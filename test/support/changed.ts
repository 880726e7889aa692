/** A copy of a body with one value changed, by path as errors spell it: `patient.names[0].given`. Undefined takes the value away. */
export function changed<T>(body: T, path: string, value: unknown): T {
  const copy = structuredClone(body)
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '')
  const last = steps.pop() ?? ''
  let at = copy as Record<string, unknown>
  for (const step of steps) at = at[step] as Record<string, unknown>
  if (value === undefined && !Array.isArray(at)) delete at[last]
  else at[last] = value
  return copy
}
