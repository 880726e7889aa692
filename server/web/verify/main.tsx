/** Starts the page that verifies a document. */
import { render } from 'preact'
import { VerifyPage } from './verify-page.tsx'

render(<VerifyPage />, document.getElementById('page')!)
