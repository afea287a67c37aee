/** Every program that the review knows. Adding one means adding its file, and its line here. */
import type { Program } from "../Program.ts"
import { archives } from "./archives.ts"
import { at } from "./at.ts"
import { awk } from "./awk.ts"
import { base64 } from "./base64.ts"
import { basename } from "./basename.ts"
import { builders } from "./builders.ts"
import { builtin } from "./builtin.ts"
import { busybox } from "./busybox.ts"
import { cat } from "./cat.ts"
import { cd } from "./cd.ts"
import { checksum } from "./checksum.ts"
import { chmod } from "./chmod.ts"
import { clusters } from "./clusters.ts"
import { cmp } from "./cmp.ts"
import { column } from "./column.ts"
import { comm } from "./comm.ts"
import { command } from "./command.ts"
import { containers } from "./containers.ts"
import { cp } from "./cp.ts"
import { cut } from "./cut.ts"
import { date } from "./date.ts"
import { dd } from "./dd.ts"
import { df } from "./df.ts"
import { diff } from "./diff.ts"
import { dirname } from "./dirname.ts"
import { du } from "./du.ts"
import { echo } from "./echo.ts"
import { editors } from "./editors.ts"
import { env } from "./env.ts"
import { evalBuiltin } from "./eval.ts"
import { exec } from "./exec.ts"
import { expand } from "./expand.ts"
import { fd } from "./fd.ts"
import { file } from "./file.ts"
import { find } from "./find.ts"
import { flock } from "./flock.ts"
import { fmt } from "./fmt.ts"
import { fold } from "./fold.ts"
import { free } from "./free.ts"
import { git } from "./git.ts"
import { grep } from "./grep.ts"
import { head } from "./head.ts"
import { hexdump } from "./hexdump.ts"
import { hostname } from "./hostname.ts"
import { id } from "./id.ts"
import { init } from "./init.ts"
import { interpreters } from "./interpreters.ts"
import { join } from "./join.ts"
import { jq } from "./jq.ts"
import { keys } from "./keys.ts"
import { kill } from "./kill.ts"
import { languagePackages } from "./languagePackages.ts"
import { ls } from "./ls.ts"
import { machine } from "./machine.ts"
import { mkdir } from "./mkdir.ts"
import { mkfs } from "./mkfs.ts"
import { mv } from "./mv.ts"
import { network } from "./network.ts"
import { nice } from "./nice.ts"
import { nl } from "./nl.ts"
import { node } from "./node.ts"
import { nohup } from "./nohup.ts"
import { npm } from "./npm.ts"
import { nproc } from "./nproc.ts"
import { numfmt } from "./numfmt.ts"
import { od } from "./od.ts"
import { pagers } from "./pagers.ts"
import { parallel } from "./parallel.ts"
import { partitions } from "./partitions.ts"
import { paste } from "./paste.ts"
import { patch } from "./patch.ts"
import { pip } from "./pip.ts"
import { pkill } from "./pkill.ts"
import { power } from "./power.ts"
import { printenv } from "./printenv.ts"
import { printf } from "./printf.ts"
import { processList } from "./processList.ts"
import { pushd } from "./pushd.ts"
import { pwd } from "./pwd.ts"
import { python } from "./python.ts"
import { readlink } from "./readlink.ts"
import { realpath } from "./realpath.ts"
import { rev } from "./rev.ts"
import { rg } from "./rg.ts"
import { rm } from "./rm.ts"
import { rmdir } from "./rmdir.ts"
import { rsync } from "./rsync.ts"
import { scheduling } from "./scheduling.ts"
import { sed } from "./sed.ts"
import { seq } from "./seq.ts"
import { setsid } from "./setsid.ts"
import { shellQuestions } from "./shellQuestions.ts"
import { shellState } from "./shellState.ts"
import { shells } from "./shells.ts"
import { shred } from "./shred.ts"
import { shuf } from "./shuf.ts"
import { sleep } from "./sleep.ts"
import { sort } from "./sort.ts"
import { split } from "./split.ts"
import { ssh } from "./ssh.ts"
import { stat } from "./stat.ts"
import { stdbuf } from "./stdbuf.ts"
import { strings } from "./strings.ts"
import { su } from "./su.ts"
import { sudo } from "./sudo.ts"
import { systemctl } from "./systemctl.ts"
import { systemPackages } from "./systemPackages.ts"
import { tac } from "./tac.ts"
import { tail } from "./tail.ts"
import { tee } from "./tee.ts"
import { terminals } from "./terminals.ts"
import { testCommand } from "./testCommand.ts"
import { time } from "./time.ts"
import { timeout } from "./timeout.ts"
import { tr } from "./tr.ts"
import { tracers } from "./tracers.ts"
import { trap } from "./trap.ts"
import { tree } from "./tree.ts"
import { trueAndFalse } from "./true.ts"
import { uname } from "./uname.ts"
import { uniq } from "./uniq.ts"
import { uptime } from "./uptime.ts"
import { watch } from "./watch.ts"
import { wc } from "./wc.ts"
import { which } from "./which.ts"
import { whoami } from "./whoami.ts"
import { xargs } from "./xargs.ts"
import { xxd } from "./xxd.ts"

export const programs: ReadonlyArray<Program> = [
  archives,
  at,
  awk,
  base64,
  basename,
  builders,
  builtin,
  busybox,
  cat,
  cd,
  checksum,
  chmod,
  clusters,
  cmp,
  column,
  comm,
  command,
  containers,
  cp,
  cut,
  date,
  dd,
  df,
  diff,
  dirname,
  du,
  echo,
  editors,
  env,
  evalBuiltin,
  exec,
  expand,
  fd,
  file,
  find,
  flock,
  fmt,
  fold,
  free,
  git,
  grep,
  head,
  hexdump,
  hostname,
  id,
  init,
  interpreters,
  join,
  jq,
  keys,
  kill,
  languagePackages,
  ls,
  machine,
  mkdir,
  mkfs,
  mv,
  network,
  nice,
  nl,
  node,
  nohup,
  npm,
  nproc,
  numfmt,
  od,
  pagers,
  parallel,
  partitions,
  paste,
  patch,
  pip,
  pkill,
  power,
  printenv,
  printf,
  processList,
  pushd,
  pwd,
  python,
  readlink,
  realpath,
  rev,
  rg,
  rm,
  rmdir,
  rsync,
  scheduling,
  sed,
  seq,
  setsid,
  shellQuestions,
  shellState,
  shells,
  shred,
  shuf,
  sleep,
  sort,
  split,
  ssh,
  stat,
  stdbuf,
  strings,
  su,
  sudo,
  systemPackages,
  systemctl,
  tac,
  tail,
  tee,
  terminals,
  testCommand,
  time,
  timeout,
  tr,
  tracers,
  trap,
  tree,
  trueAndFalse,
  uname,
  uniq,
  uptime,
  watch,
  wc,
  which,
  whoami,
  xargs,
  xxd
]
