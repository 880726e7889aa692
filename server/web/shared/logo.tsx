/** The name of the product, with its mark. */
import mark from './countersign.svg'

export const Logo = () => (
  <span class="logo">
    <img src={mark} alt="" width="28" height="28" />
    Countersign
  </span>
)
