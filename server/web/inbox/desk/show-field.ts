/** Leads the signer to a field. */

export const fieldId = (index: number) => `field-${index}`

/** Scrolls to a field and puts the focus on it. */
export function showField(index: number) {
  scrollToField(index)
  document.getElementById(fieldId(index))?.focus({ preventScroll: true })
}

export function scrollToField(index: number) {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const behavior = isCalm ? 'instant' : 'smooth'
  document.getElementById(fieldId(index))?.scrollIntoView({ block: 'center', behavior })
}
