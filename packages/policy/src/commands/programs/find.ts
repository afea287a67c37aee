/** find(1), GNU findutils. Its words are an expression: tests, options, and actions that write, delete and start commands. */
import type { Argument } from "../Argument.ts"
import type { Line, Notes, Program } from "../Program.ts"

export const find: Program = {
  names: ["find", "gfind"],
  does: "reads",
  ownOptions: true,
  judge: (line, notes) => {
    const start = startingPoints(line, notes)
    judgeExpression(line.args.slice(start), line.args.slice(0, start), notes)
  },
  examples: {
    allowed: [
      "find src -type f -name '*.ts'",
      "find . -size +1M -print",
      "find . -name w -print",
      "find . -name -delete",
      "find . -maxdepth 1 -printf '%s %p\\n'",
      "find src -newer package.json -type f",
      "find . \\( -name a -o -name b \\) ! -path './dist/*'"
    ],
    refused: [
      "find / -name id_rsa",
      "find . -name '*.tmp' -delete",
      "find . -exec rm {} +",
      "find . -execdir sh -c id \\;",
      "find . -fprint0 l.txt",
      "find . -fprintf l.txt '%p'",
      "find . -newer /etc/passwd",
      "find . -files0-from list",
      "find / -delete"
    ]
  }
}

/** Options that come before the starting points, then those. Answers with how many words they are. */
const startingPoints = (line: Line, notes: Notes): number => {
  let at = 0
  while (/^-(?:[HLP]|O\d*|D)$/.test(line.args[at]?.value ?? "")) at += line.args[at]?.value === "-D" ? 2 : 1
  for (; at < line.args.length; at++) {
    const word = line.args[at]
    if (word === undefined || /^(?:-.|[(!),]$)/.test(word.value)) break
    notes.reads(word)
  }
  return at
}

const judgeExpression = (words: ReadonlyArray<Argument>, points: ReadonlyArray<Argument>, notes: Notes): void => {
  const takesAll = points.some((point) => notes.isRuinous(point)) && !words.some((word) => narrowing.has(word.value))
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word === undefined) return
    const name = word.value
    if (plain.has(name)) continue
    if (oneValue.has(name) || /^-newer[aBcm]t$/.test(name)) at += 1
    else if (onePath.has(name) || /^-newer[aBcm][aBcm]$/.test(name)) {
      at += 1
      const path = words[at]
      if (path !== undefined) notes.reads(path)
    } else if (name === "-files0-from") {
      at += 1
      notes.find("asks", "find reads its starting points from elsewhere", word)
    } else if (writing.has(name)) {
      at += name === "-fprintf" ? 2 : 1
      const file = words[at - (name === "-fprintf" ? 1 : 0)]
      notes.find("changes", `find ${name} writes a file`, word)
      if (file !== undefined) notes.writes(file)
    } else if (name === "-delete") {
      if (takesAll) notes.find("ruins", "find -delete removes a folder of the system", word)
      else notes.find("controls", "find -delete removes files", word)
    } else if (starting.has(name)) {
      const removes = /(?:^|\/)(?:rm|rmdir|unlink|shred|truncate|mv|chmod|chown)$/.test(words[at + 1]?.value ?? "")
      if (takesAll && removes) notes.find("ruins", "find removes or changes a folder of the system", word)
      at = startedBy(words, at, points, notes)
    } else notes.find("asks", `find ${name}: a test or action that the review does not know`, word)
  }
}

/** `-exec command ;` or `-exec command {} +`. Answers with the place of its end. */
const startedBy = (
  words: ReadonlyArray<Argument>,
  from: number,
  points: ReadonlyArray<Argument>,
  notes: Notes
): number => {
  let end = from + 1
  while (
    end < words.length &&
    words[end]?.value !== ";" &&
    !(words[end]?.value === "+" && words[end - 1]?.value === "{}")
  )
    end++
  const command = words.slice(from + 1, end)
  const [word] = words.slice(from, from + 1)
  if (word !== undefined) notes.find("runs", `find ${word.value} starts a command for what it finds`, word)
  // What is found stands below the starting points: with them in its place the command shows its worst.
  const filled = command.flatMap((argument) => (argument.value === "{}" && points.length > 0 ? points : [argument]))
  notes.starts(filled, true)
  return end
}

const plain = new Set(
  "( ) ! , -a -and -o -or -not -depth -d -follow -daystart -ignore_readdir_race -noignore_readdir_race -mount -xdev -noleaf -nowarn -warn -empty -executable -readable -writable -false -true -nogroup -nouser -print -print0 -ls -prune -quit -noop".split(
    " "
  )
)

const oneValue = new Set(
  "-maxdepth -mindepth -regextype -amin -atime -cmin -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -mmin -mtime -name -path -perm -regex -size -type -uid -used -user -wholename -xtype -context -printf".split(
    " "
  )
)

/** Tests that leave out most files. */
const narrowing = new Set(
  "-amin -atime -cmin -ctime -empty -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -mmin -mtime -name -newer -nogroup -nouser -path -perm -regex -samefile -size -uid -used -user -wholename".split(
    " "
  )
)

const onePath = new Set("-newer -anewer -cnewer -samefile".split(" "))

const writing = new Set("-fprint -fprint0 -fls -fprintf".split(" "))

const starting = new Set("-exec -execdir -ok -okdir".split(" "))
