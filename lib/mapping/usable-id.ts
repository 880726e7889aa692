/** Which values are ids. Pure. */

/** Words that programs and people write where there is no id. */
const PLACEHOLDERS = new Set(
  'unknown none null nil na n/a undefined pending tbd tba test dummy default temp notavailable unassigned systemgenerated'.split(
    ' ',
  ),
)

/** Whether a value is an id: not empty, not a word for "no id", and not one character repeated. */
export function isUsableId(value: string | undefined): value is string {
  const text = (value ?? '').trim().toLowerCase()
  if (!/[\p{L}\p{N}]/u.test(text)) return false
  return !PLACEHOLDERS.has(text.replace(/^["'<(]+|["'>)]+$/g, '').replace(/[\s._-]+/g, '')) && !/^(.)\1{3,}$/.test(text)
}
