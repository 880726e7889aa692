/** Tables of the map from and to CSV files. Node-RED reads and writes them, as the command line does. Loaded once, by the html of the configuration node. */
/* global $, countersign, countersignTry */
window.countersignCsv = (() => {
  const text = (...given) => countersign.text(...given)

  /**
   * Returns the buttons of a table, with room for what is wrong with a file. `table()` gives the table as it is, and `take(table)` is
   * given the one of a file, which is in its place.
   */
  function buttons(name, { table, take }) {
    const part = $('<div class="countersign-csv">')
    const file = $('<input type="file" accept=".csv,text/csv,text/plain">').hide().appendTo(part)
    const problems = $('<ul class="countersign-failed" role="alert">')
    const button = (key, onClick) =>
      $('<button type="button" class="red-ui-button">')
        .text(text(`map.${key}`))
        .on('click', onClick)
        .appendTo(part)
    const tell = (reasons) => problems.empty().append(reasons.map((reason) => $('<li>').text(reason)))
    const ask = (what, body, use) => {
      problems.empty()
      countersign.post(`countersign/mapping/${what}`, { table: name, ...body }).then(
        (answer) => (answer.reasons ? tell(answer.reasons) : use(answer)),
        ({ status }) => tell([text(`try.${countersignTry.refusal(status)}`)]),
      )
    }
    button('import', () => file.trigger('click'))
    button('export', () => ask('csv-from-table', { entries: table() }, ({ csv }) => download(`${name}.csv`, csv)))
    file.on('change', async () => {
      const [chosen] = file[0].files
      const csv = await chosen?.text()
      file.val('')
      if (csv !== undefined) ask('table-from-csv', { csv }, ({ entries }) => take(entries))
    })
    return part.append(problems)
  }

  /** Without the mark at its beginning, spreadsheets take a file for one in another character set. */
  function download(name, csv) {
    const address = URL.createObjectURL(new Blob(['\ufeff', csv], { type: 'text/csv' }))
    $('<a>').attr({ href: address, download: name })[0].click()
    URL.revokeObjectURL(address)
  }

  return { buttons }
})()
