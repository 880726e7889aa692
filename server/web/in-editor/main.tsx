/**
 * The page that Node-RED's editor shows in a frame, to place the fields of a node on a sample PDF. It calls no one: the editor
 * hands the rows of the form in, and is notified of each change.
 */
import type { Surroundings } from './frame.tsx'
import type { PlaceFieldsProps } from './place-fields.tsx'
import '../pdf/sheet.css'
import '../placing/placing.css'
import './place-fields.css'

declare global {
  interface Window {
    /** Called by the editor once this page has loaded. */
    placeFields(asked: PlaceFieldsProps & Surroundings): void
  }
}

// The texts are loaded in the language of the editor, which is known from here on.
window.placeFields = (asked) => {
  document.documentElement.dataset.language = asked.language
  void import('./frame.tsx').then(({ showFields }) => showFields(asked))
}
