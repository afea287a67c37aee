/**
 * Names that decide what a program executes, loads or reads when it starts. No secret belongs there, and whoever adds
 * one to a command changes what the command is. Compared in any letter case, since some systems disregard it.
 */
import { homeNames, inheritedNames, isOwnName } from "./EnvironmentNames.ts"

/**
 * Why `name` decides what a child does, in words; null for an ordinary name.
 *
 * @example
 * controllingReason("Ld_Preload")   // "is read by the dynamic loader"
 * controllingReason("GITHUB_TOKEN") // null
 */
export const controllingReason = (name: string): string | null => {
  const upper = name.toUpperCase()
  if (isOwnName(upper)) return "is a mark of Gatehouse itself"
  const exact = reasonByName.get(upper)
  if (exact !== undefined) return exact
  // A family has members that nobody listed; but a name that says it is a secret is one (`NPM_CONFIG_TOKEN`).
  if (namesSecret(upper)) return null
  return families.find(({ prefix }) => upper.startsWith(prefix))?.reason ?? null
}

/** Whether the last word of `name` says that its value is a secret. */
export const namesSecret = (name: string): boolean =>
  /(?:^|_)(?:API_?KEY|ACCESS_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|PAT)$/.test(
    name.toUpperCase()
  )

interface Group {
  readonly reason: string
  readonly names: string
  /** Beginnings of names, where a program reads every name that begins so. */
  readonly families?: string
}

/** Each group with its source. Names within a group are in alphabetical order. */
const groups: ReadonlyArray<Group> = [
  {
    // ld.so(8), dlopen(3), dyld(1), rld(5)
    reason: "is read by the dynamic loader",
    names:
      "_RLD_LIST _RLD_ROOT _RLDN32_LIST GCONV_PATH GETCONF_DIR GLIBC_TUNABLES LDR_PRELOAD LDR_PRELOAD64 LIBPATH SHLIB_PATH",
    families: "DYLD_ LD_ MALLOC_"
  },
  {
    // POSIX.1-2024 XBD 8.3; bash(1) "Shell Variables"; zshparam(1); ksh(1); cmd.exe
    reason: "is read by a shell",
    names:
      "BASH_COMPAT BASH_ENV BASH_LOADABLES_PATH BASH_XTRACEFD BASHOPTS CDPATH COMSPEC ENV EUID EXECIGNORE FCEDIT FIGNORE FPATH GLOBIGNORE HISTFILE HOSTFILE IFS INPUTRC MAILPATH MODULE_PATH OLDPWD OPTARG OPTERR OPTIND POSIXLY_CORRECT PPID PROMPT_COMMAND PROMPT_DIRTRIM PS0 PS1 PS2 PS3 PS4 PWD RPROMPT SHELL SHELLOPTS SHLVL UID ZDOTDIR",
    families: "BASH_FUNC_"
  },
  {
    reason: "decides where programs are found",
    names: "_ MANPATH PATH PATHEXT PSMODULEPATH __COMPAT_LAYER"
  },
  {
    // environ(7); XDG Base Directory Specification 0.8; Windows "Recognized environment variables"
    reason: "decides where files and settings are looked for",
    names:
      "ALLUSERSPROFILE APPDATA COMMONPROGRAMFILES HOME HOMEDRIVE HOMEPATH LOCALAPPDATA LOGNAME PROGRAMDATA PROGRAMFILES PROGRAMW6432 PUBLIC SYSTEMDRIVE SYSTEMROOT TEMP TERMCAP TERMINFO TERMINFO_DIRS TMP TMPDIR TZDIR USER USERNAME USERPROFILE WINDIR",
    families: "XDG_"
  },
  {
    // environ(7); xdg-open(1); less(1); man(1); systemctl(1); sudo(8); ssh(1); rsync(1); cvs(1); svn; hg
    reason: "names a program that others start",
    names:
      "AWS_PAGER BAT_PAGER BROWSER CVS_RSH CVSEDITOR DELTA_PAGER EDITOR GH_BROWSER GH_EDITOR GH_PAGER GLAB_EDITOR GLAB_PAGER HGEDITOR HGMERGE JJ_EDITOR KUBE_EDITOR LESS LESSCLOSE LESSEDIT LESSKEY LESSKEY_CONTENT LESSKEYIN LESSOPEN MANPAGER MANROFFOPT MERGE MORE PAGER PSQL_EDITOR PSQL_PAGER RSH RSYNC_CONNECT_PROG RSYNC_RSH SSH_ASKPASS SSH_ASKPASS_REQUIRE SSH_SK_HELPER SSH_SK_PROVIDER SUDO_ASKPASS SUDO_EDITOR SVN_EDITOR SVN_SSH SYSTEMD_EDITOR SYSTEMD_LESS SYSTEMD_PAGER TERMINAL VISUAL XAUTHORITY"
  },
  {
    // git(1) "Environment Variables", git-config(1), git-var(1)
    reason: "is read by Git",
    names: "GIT_ASKPASS GIT_SSH",
    families: "GIT_"
  },
  {
    // Python: "Environment variables" of Using Python; pip, virtualenv, conda
    reason: "is read by Python when it starts",
    names:
      "CONDA_EXE CONDA_PREFIX IPYTHONDIR PIP_CONFIG_FILE PIP_EXTRA_INDEX_URL PIP_INDEX_URL PIP_PREFIX PIP_REQUIREMENT PIP_TARGET UV_CONFIG_FILE UV_INDEX_URL UV_PYTHON VIRTUAL_ENV",
    families: "PYTHON"
  },
  {
    // node(1) "Environment variables"; npm-config(7); Yarn, Deno, Bun, Electron
    reason: "is read by a JavaScript runtime or its package manager",
    names:
      "BUN_CONFIG_PRELOAD BUN_INSTALL BUN_OPTIONS COREPACK_HOME COREPACK_NPM_REGISTRY DENO_CERT DENO_DIR DENO_INSTALL_ROOT ELECTRON_RUN_AS_NODE INIT_CWD NODE_CHANNEL_FD NODE_COMPILE_CACHE NODE_DEBUG NODE_EXTRA_CA_CERTS NODE_ICU_DATA NODE_OPTIONS NODE_PATH NODE_PENDING_DEPRECATION NODE_PRESERVE_SYMLINKS NODE_PRESERVE_SYMLINKS_MAIN NODE_REDIRECT_WARNINGS NODE_REPL_EXTERNAL_MODULE NODE_REPL_HISTORY NODE_TLS_REJECT_UNAUTHORIZED NODE_USE_ENV_PROXY NODE_V8_COVERAGE NVM_DIR PNPM_HOME PREFIX TS_NODE_PROJECT VOLTA_HOME YARN_RC_FILENAME YARN_YARN_PATH",
    families: "NPM_CONFIG_"
  },
  {
    // perlrun(1), ruby(1), lua(1), php(1), R "Startup", julia, erl(1), ocaml, guile, tclsh, awk
    reason: "is read by an interpreter when it starts",
    names:
      "AWKLIBPATH AWKPATH BUNDLE_APP_CONFIG BUNDLE_BIN_PATH BUNDLE_GEMFILE BUNDLE_PATH BUNDLE_USER_CONFIG BUNDLE_USER_HOME CAML_LD_LIBRARY_PATH CAMLRUNPARAM ELIXIR_ERL_OPTIONS EMACSLOADPATH ERL_AFLAGS ERL_FLAGS ERL_LIBS ERL_ZFLAGS EXINIT GEM_HOME GEM_PATH GEM_SPEC_CACHE GUILE_LOAD_COMPILED_PATH GUILE_LOAD_PATH GVIMINIT IRBRC JULIA_DEPOT_PATH JULIA_EDITOR JULIA_LOAD_PATH JULIA_PROJECT MYVIMRC NVIM_APPNAME OCAMLLIB OCAMLPATH OCAMLRUNPARAM PERLIO PERLIO_DEBUG PERLLIB PHP_INI_SCAN_DIR PHPRC RAKEOPT R_ENVIRON R_ENVIRON_USER R_HOME R_LIBS R_LIBS_SITE R_LIBS_USER R_PROFILE R_PROFILE_USER TCLLIBPATH VIM VIMINIT VIMRUNTIME",
    families: "LUA_ PERL5 PERL_ RUBY"
  },
  {
    // java(1) "JDK_JAVA_OPTIONS"; JVM tool interface; .NET "Environment variables"; Maven, Gradle, sbt, Ant
    reason: "is read by a virtual machine when it starts",
    names:
      "_JAVA_OPTIONS ANT_ARGS ANT_OPTS CLASSPATH CATALINA_OPTS GRADLE_OPTS GRADLE_USER_HOME GROOVY_CONF IBM_JAVA_OPTIONS JAVACMD JRE_HOME KOTLIN_HOME M2_HOME MAVEN_ARGS MAVEN_HOME MAVEN_OPTS MAVEN_PROJECTBASEDIR MSBUILDSDKSPATH NUGET_PACKAGES OPENJ9_JAVA_OPTIONS SBT_OPTS SCALA_HOME",
    families: "COMPLUS_ CORECLR_ COR_ DOTNET_ JAVA_ JDK_"
  },
  {
    // make(1) "Implicit Variables" and MAKEFLAGS; gcc(1) "Environment"; cargo, rustup, go(1), ccache, cmake
    reason: "is read by a build",
    names:
      "AR AS ASFLAGS CC CCACHE_COMPILER CCACHE_PREFIX CFLAGS CMAKE_C_COMPILER CMAKE_CXX_COMPILER CMAKE_GENERATOR CMAKE_PREFIX_PATH CMAKE_TOOLCHAIN_FILE COMPILER_PATH CONFIG_SHELL CONFIG_SITE CPATH CPLUS_INCLUDE_PATH CPP CPPFLAGS C_INCLUDE_PATH CXX CXXFLAGS DEPENDENCIES_OUTPUT FC FFLAGS GCC_EXEC_PREFIX GNUMAKEFLAGS GO111MODULE GOBIN GOCACHE GOENV GOEXPERIMENT GOFLAGS GOINSECURE GOMODCACHE GONOPROXY GONOSUMDB GOPATH GOPRIVATE GOPROXY GOROOT GOSUMDB GOTMPDIR GOTOOLCHAIN GOTOOLDIR GOVCS GOWORK LD LDFLAGS LEX LIBRARY_PATH MAKEFILES MAKEFLAGS MAKELEVEL MAKESHELL MFLAGS OBJC OBJC_INCLUDE_PATH PKG_CONFIG PKG_CONFIG_LIBDIR PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR RANLIB RUSTC RUSTC_LINKER RUSTC_WORKSPACE_WRAPPER RUSTC_WRAPPER RUSTDOC RUSTDOCFLAGS RUSTFLAGS RUSTUP_HOME RUSTUP_TOOLCHAIN SUNPRO_DEPENDENCIES YACC",
    families: "CARGO_"
  },
  {
    // openssl-env(7), curl(1), wget(1), resolver(5), hostname(7), gpg(1), docker(1), kubectl, aws, ansible, terraform
    reason: "decides where a connection goes or whom it trusts",
    names:
      "ALL_PROXY ANSIBLE_CONFIG ANSIBLE_LIBRARY AWS_CA_BUNDLE AWS_CONFIG_FILE AWS_ENDPOINT_URL AWS_SHARED_CREDENTIALS_FILE CLOUDSDK_CONFIG CLOUDSDK_PYTHON CURL_CA_BUNDLE CURL_HOME DOCKER_CONFIG DOCKER_HOST FTP_PROXY GNUPGHOME HOSTALIASES HTTP_PROXY HTTPS_PROXY KUBECONFIG LOCALDOMAIN NETRC NO_PROXY OPENSSL_CONF OPENSSL_CONF_INCLUDE OPENSSL_ENGINES OPENSSL_MODULES REQUESTS_CA_BUNDLE RES_OPTIONS RSYNC_PROXY SSH_AUTH_SOCK SSL_CERT_DIR SSL_CERT_FILE TF_CLI_CONFIG_FILE WGETRC"
  },
  {
    // locale(7), gettext(3), ld.so(8): NLSPATH and LOCPATH are cleared for privileged programs
    reason: "is a part of every child's own basis",
    names:
      "COLORTERM LANG LANGUAGE LOCPATH MSGPATH NLSPATH NO_COLOR NUMBER_OF_PROCESSORS OS PROCESSOR_ARCHITECTURE TERM TEXTDOMAIN TEXTDOMAINDIR TZ",
    families: "LC_"
  },
  {
    // gtk3-running(7), QPluginLoader, gst-launch(1)
    reason: "names modules that programs load",
    names:
      "GDK_PIXBUF_MODULE_FILE GIO_EXTRA_MODULES GIO_MODULE_DIR GI_TYPELIB_PATH GST_PLUGIN_PATH GTK2_RC_FILES GTK_EXE_PREFIX GTK_IM_MODULE_FILE GTK_MODULES GTK_PATH KDEDIRS QML2_IMPORT_PATH QML_IMPORT_PATH QT_PLUGIN_PATH QT_QPA_PLATFORM_PLUGIN_PATH SASL_PATH"
  }
]

const words = (text: string): ReadonlyArray<string> => text.split(" ")

/** The names that every child has are controlling even where no group lists them. */
const ownBasis = [...inheritedNames.posix, ...inheritedNames.windows, ...homeNames.posix, ...homeNames.windows]

const reasonByName: ReadonlyMap<string, string> = new Map([
  ...ownBasis.map((name) => [name, "is a part of every child's own basis"] as const),
  ...groups.flatMap(({ names, reason }) => words(names).map((name) => [name, reason] as const))
])

const families: ReadonlyArray<{ readonly prefix: string; readonly reason: string }> = groups.flatMap((group) =>
  group.families === undefined ? [] : words(group.families).map((prefix) => ({ prefix, reason: group.reason }))
)
