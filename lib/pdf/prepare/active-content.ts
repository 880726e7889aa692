/** Active content of a PDF, and its treatment when a document is prepared for signing. */

export const activeContentKinds = ['javaScript', 'openAction', 'embeddedFiles'] as const

/**
 * `javaScript`: scripts, and every action that submits, fetches or changes something.
 * `openAction`: what happens when the document is opened, beyond going to a place in it.
 * `embeddedFiles`: attachments, sound, film and 3D.
 */
export type ActiveContent = (typeof activeContentKinds)[number]

export const treatments = ['strip', 'refuse', 'allow'] as const

/** `strip` removes it before the document is shown, `refuse` answers that it must not be there, `allow` leaves it. */
export type Treatment = (typeof treatments)[number]

/** The treatment of each kind of active content. */
export type ActiveContentPolicy = Readonly<Record<ActiveContent, Treatment>>

export const defaultActiveContentPolicy: ActiveContentPolicy = {
  javaScript: 'strip',
  openAction: 'strip',
  embeddedFiles: 'strip',
}
