/** The questions of the sidebar tab "Signatures". Loaded once, by the html of the configuration node. */
/* global $ */
window.countersignDialog = (() => {
  /**
   * Asks a person. Resolves with the choice and the text, or with undefined when things are to stay as they are.
   * @param name tells this question from others, in ids
   * @param text the field for a text, if one is asked for: its `label`, `rows`, `value` at first, `longest`, and whether it `isCode`
   * @param keep the words of the button that changes nothing
   * @param choices the values of the other buttons with their words; the last one is highlighted
   */
  function ask({ name, title, effect, text, keep, choices }) {
    const prefix = `countersign-${name}`
    const dialog = $(`<dialog class="red-ui-editor countersign-dialog" aria-labelledby="${prefix}-title">`)
    const form = $('<form method="dialog">').appendTo(dialog)
    $(`<h3 id="${prefix}-title">`).text(title).appendTo(form)
    $('<p>').text(effect).appendTo(form)
    const field = text && fieldOf(`${prefix}-text`, text, form)
    dialog.toggleClass('countersign-dialog-wide', text?.isCode === true)
    const buttons = $('<div class="countersign-dialog-choices">').appendTo(form)
    const button = ([value, words]) => $('<button class="red-ui-button">').val(value).text(words).appendTo(buttons)
    button(['', keep])
    choices.map(button).at(-1).addClass('primary')
    dialog.appendTo('body')[0].showModal()
    return new Promise((resolve) => {
      dialog.on('close', () => {
        const choice = dialog[0].returnValue
        resolve(choice ? { choice, text: field?.val() } : undefined)
        dialog.remove()
      })
    })
  }

  function fieldOf(id, { label, rows, value, longest, isCode }, form) {
    $(`<label for="${id}">`).text(label).appendTo(form)
    const field = $(`<textarea id="${id}">`).attr({ rows, maxlength: longest }).val(value).appendTo(form)
    return isCode ? field.addClass('countersign-code').attr({ wrap: 'off', spellcheck: 'false' }) : field
  }

  return { ask }
})()
