/** What people and agents run all day must not ask; what is close to it and does more must. */
import { assert, describe, it } from "@effect/vitest"
import { review } from "./Reviews.ts"

const lines = (text: string): ReadonlyArray<string> =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim())

const unasked = lines(String.raw`
  ls -lah --group-directories-first
  ls src/*.ts
  ls -1 --sort=time src | head -3
  head -n -5 README.md
  tail -n +10 a.txt
  tail --follow=name build.log
  wc -w < notes.txt
  sort -t: -k2 -n a.txt | uniq -c | sort -rn | head -5
  cut -d, -f1-3 data.csv
  tr -d '\n' < a.txt
  diff -r --brief src lib
  file -b --mime-type a.png
  stat -c '%s %n' a.txt b.txt
  du -ah src | sort -h
  tree -L 2 -I 'node_modules|dist' src
  find . -name '*.ts' -not -path './node_modules/*'
  find src test \( -name '*.ts' -o -name '*.tsx' \) -newer package.json
  find . -type f -size +1M -printf '%s %p\n'
  grep -rnE 'a|b' --include='*.ts' --exclude-dir=node_modules .
  grep -A3 -B3 -e needle a.txt
  rg -n --hidden -g '!.git' -tts 'use(State|Effect)' src
  rg --files -g '*.md' | wc -l
  jq -r '.dependencies | keys[]' package.json
  cat package.json | jq .version
  sha256sum dist/app.js
  xxd -l 32 a.bin
  od -A x -t x1z -v a.bin
  strings -n 10 a.bin | head
  printf '%s\n' hello
  seq 1 2 10
  date -d '2024-01-01' +%s
  sed -n '/start/,/end/p' a.txt
  sed -n '2{p;q}' a.txt
  sed 's/[^/]*$//' a.txt
  awk -F: 'NR>=5 && NR<=10 {print $1}' a.txt
  ls 2>/dev/null || echo none
  ls >/dev/null 2>&1
  test -f a && echo yes || echo no
  [ -d src ] && ls src
  [[ -f a.txt ]] && cat a.txt
  (cd src && ls); pwd
  { ls; pwd; }
  if [ -f a ]; then cat a; else echo none; fi
  timeout 10 grep -r needle src
  nice -n 5 wc -l a.txt
  command -v git
  git status -sb --untracked-files=all
  git log --oneline --graph --all -20
  git log --author=me --since='2 weeks ago' --name-only
  git log -S'needle' --pretty=format:'%h %an %s' -- src
  git log -L 10,20:src/app.ts
  git log main..feature --oneline | head
  git show HEAD~2 --stat
  git show HEAD:src/app.ts
  git diff main...HEAD --name-status
  git diff -w -U10 --color=never HEAD -- src ':!package-lock.json'
  git branch -vv --sort=-committerdate
  git branch --contains HEAD
  git tag -l 'v*' --sort=-creatordate
  git remote get-url origin
  git blame -L10,20 -w src/app.ts
  git describe --always --dirty
  git rev-parse --abbrev-ref HEAD
  git rev-list --count HEAD
  git ls-files --others --exclude-standard
  git ls-tree -r HEAD --name-only
  git grep -n 'foo bar' HEAD -- '*.ts'
  git shortlog -sne HEAD
  git reflog show main -5
  git stash show -p stash@{0}
  git worktree list
  git for-each-ref --format='%(refname)' refs/tags
  git check-ignore -v a.txt
  git log @{upstream}..HEAD --oneline
  git -C packages/core log -1
  cd src && git status
  node --version
  ls --help
`)

const asked = lines(String.raw`
  cat $FILE
  cat *.txt
  wc -l *
  ls .e*
  ls */.env
  echo {1..5}
  echo ~
  diff <(ls a) <(ls b)
  cat <<< hi
  ls > out.txt
  ls 2> err.txt
  ls >&2file
  ls <> a.txt
  cat < .env
  cat a/../../b
  ls -la -- ..
  git diff --no-index a /etc/passwd
  rg --ignore-file=/etc/x foo
  find . -samefile /etc/passwd
  rg -g '.env*' KEY
  grep -r --include='.env*' KEY .
  git log -p -- .env
  git show :0:.env
  git diff HEAD:.env a
  cat "./.e"nv
  sed '$r .env' a
  sort a -o b
  sort --out=b a
  uniq -c a b
  tree -no x
  date --set x
  sed -Ei s/a/b/ x
  sed 's,a,b,gw out' a
  sed -n '1!w out' a
  find . -fprintf x %p
  xxd a b
  shuf -o a b
  printf -v x y
  git branch -m a b
  git branch --del x
  git tag -a x -m y
  git stash drop
  git remote set-url a b
  git symbolic-ref HEAD refs/heads/x
  git log --outp=x
  git log --pretty='%h %G?'
  git diff --ext\-diff
  git cat-file --batch
  git -c a=b log
  git --git-dir=. log
  git log --help
  sort --compress-prog x a
  rg -z x
  find . -ok ls {} \;
  awk '{print > "x"}' a
  awk -i inplace 1 a
  jq -n '[env]'
  diff --paginate a b
  ls | xargs cat
  env A=1 ls
  LC_ALL=C sort a
  watch ls
  timeout 5 npm test
  timeout 5s man -P cat ls
  bin/ls
  ls | sh
  ls |& sh
  cat a | tee b
  while true; do ls; done
  for f in a b; do cat a; done
  case a in a) ls;; esac
  f() { ls; }; f
  ls &
  cd src; cat ../x
  cd src || ls ../..
  LS
`)

describe("an everyday line", () => {
  it("runs unasked", () => {
    for (const line of unasked)
      assert.strictEqual(review(line).decision, "allow", `${line}: ${JSON.stringify(review(line).because)}`)
  })

  it("is no change or journey where it only reads in a form that is not known", () => {
    for (const line of ["git submodule", "git submodule status", "git stash show --foo", "git add -n ."]) {
      const { class: kind, decision } = review(line)
      assert.deepStrictEqual([line, decision, kind], [line, "prompt", "unknown"])
    }
    assert.strictEqual(review("git tag -v v1").class, "project_code")
  })

  it("asks where more was to follow", () => {
    for (const line of ["ls\\", "echo hi\\", "cat a.txt \\", "echo a\\\\\\"]) {
      assert.strictEqual(review(line).decision, "prompt", line)
    }
    assert.strictEqual(review("echo a\\\\").decision, "allow")
  })

  it("asks as soon as it does more", () => {
    for (const line of asked) assert.strictEqual(review(line).decision, "prompt", line)
  })
})
