/** English: the texts of the room. */
export default {} as const
