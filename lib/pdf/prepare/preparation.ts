/**
 * The changes that preparation may make to a document before its signer sees it, in words for the signer and the certificate
 * page.
 */

const converted = (why: string) => `Its pages were converted to pictures, because ${why}.`

export const preparationSentences = {
  decrypted: 'The encryption was removed.',
  leadingBytesRemoved: 'What stood before the beginning of the document in its file was removed.',
  trailingBytesRemoved: 'What followed the end of the document in its file was removed.',
  formFlattened: 'The form was made part of its pages, as it showed.',
  annotationsFlattened: 'Notes, stamps and markings were made part of their pages, as they showed.',
  fontsEmbedded: 'Fonts that it only named were added, so that every viewer shows the same letters.',
  colorsConverted: 'Its colors were converted to those of a screen, so that every viewer shows the same.',
  linkBordersRemoved: 'Borders around links were removed.',
  hiddenAnnotationsRemoved: 'Notes and fields that did not show were removed.',
  javaScriptRemoved: 'Scripts and automatic actions were removed.',
  openActionRemoved: 'What was to happen on opening was removed.',
  embeddedFilesRemoved: 'Attached files were removed.',
  drawnBySetting: converted('its sender has every document converted'),
  drawnAsAmbiguous: converted('readers could take its file for different documents'),
  drawnForContent: converted('viewers could show its drawings, pictures, or colors differently'),
  drawnForLetters: converted('viewers could draw its letters differently'),
  drawnForForm: converted('viewers could show its form, notes, or markings differently'),
  drawnAsSigned: converted('it was signed before and had to be changed; that signature is not part of it any more'),
} as const satisfies Readonly<Record<string, string>>

export type Preparation = keyof typeof preparationSentences

/** Why a document was drawn. */
export type DrawnBecause = Extract<Preparation, `drawn${string}`>

/** Returns whether a document that was prepared so is shown and sealed as pictures of its pages. */
export const isDrawn = (done: readonly Preparation[]): boolean => done.some(isDrawnBecause)

export const isDrawnBecause = (done: Preparation): done is DrawnBecause => done.startsWith('drawn')

/** In the order in which people read them. */
export const preparations = Object.keys(preparationSentences) as readonly Preparation[]

export const isPreparation = (text: string): text is Preparation => Object.hasOwn(preparationSentences, text)
