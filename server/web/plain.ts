/** Shows a page that is complete in its HTML in the language of its reader. Without JavaScript, it stays in English. */
import { translatePage } from './words/translate-page.ts'

translatePage()
