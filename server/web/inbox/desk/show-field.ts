/** Leads the signer to a field. */

export const fieldId = (index: number) => `field-${index}`

/** Scrolls to a field and puts the focus on it. */
export function showField(index: number) {
  scrollToField(index)
  document.getElementById(fieldId(index))?.focus({ preventScroll: true })
}

export function scrollToField(index: number) {
  document.getElementById(fieldId(index))?.scrollIntoView({ block: 'center', behavior: motion() })
}

/** Returns how to scroll for this signer. */
export const motion = (): ScrollBehavior =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'
