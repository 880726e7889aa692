/**
 * The page that Node-RED's editor shows in a frame, to place the fields of a node on a sample PDF. It calls nobody: the editor
 * hands the rows of the form in, and is told of each change.
 */
import { render } from 'preact'
import { WithWords, type Words } from '../placing/words.ts'
import { Announcements } from '../shared/announce.tsx'
import { PlaceFields, type PlaceFieldsProps } from './place-fields.tsx'
import '../pdf/sheet.css'
import '../placing/placing.css'
import './place-fields.css'

declare global {
  interface Window {
    /** Called by the editor once this page has loaded. */
    placeFields(asked: PlaceFieldsProps & { words: Words; language: string }): void
  }
}

window.placeFields = ({ words, language, ...asked }) => {
  document.documentElement.lang = language
  render(
    <WithWords value={words}>
      <PlaceFields {...asked} />
      <Announcements />
    </WithWords>,
    document.getElementById('page')!,
  )
}
