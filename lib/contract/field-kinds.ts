/** Text of one field, in characters: what a sender may pre-fill, and what a signer may write. spec: Resources › Task: annotations */
export const MAX_FIELD_TEXT = 4000
