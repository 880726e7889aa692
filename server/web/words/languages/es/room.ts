/** Spanish: the texts of the room. */
import type { WordsOf } from '../../catalogue.ts'

export default {} satisfies WordsOf<'room'>
