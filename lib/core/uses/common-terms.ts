/**
 * Names that models know without having read them: modules of the standard libraries of Python, Go and JavaScript, the
 * usual short names of much used packages, and files that most projects have.
 */
import { LIBRARY_NAMES } from './library-names'

const MODULES = names(`
  array ast asyncio base64 big binary bits bufio builtins bytes calendar cmp collections concurrent configparser contextlib
  copy crypto csv ctypes datetime decimal difflib email embed enum errors exec fileinput filepath flag fmt fnmatch
  fractions fs functools gc getpass glob gzip hashlib heapq hex hmac html http httptest importlib inspect io ioutil
  itertools json locale log logging maps math mime multiprocessing net operator os parser path pathlib pickle pkgutil
  platform pprint process queue rand random readline reflect regexp rune runtime secrets select shelve shlex shutil
  signal slices slog socket sort sql sqlite3 ssl stat statistics strconv stream string strings struct subprocess sync sys
  syscall tar tempfile template testing textwrap threading time timezone tls token tomllib traceback types typing unicode
  unittest unsafe url urllib utf8 util uuid warnings weakref xml zip zipfile zlib zoneinfo
  Array Boolean Buffer Date Error Infinity Intl JSON Map Math Number Object Promise Proxy Reflect RegExp Set String
  Symbol console document exports globalThis module navigator window
  np numpy pd pandas plt matplotlib nn torch tf tensorflow sns seaborn scipy sklearn React ReactDOM
`)

const FILES = names(`
  .env .eslintrc.json .gitignore CHANGELOG.md CONTRIBUTING.md Cargo.lock Cargo.toml Dockerfile LICENSE.md README.md
  README.rst __init__.py __main__.py app.js app.py app.ts app.tsx conftest.py docker-compose.yml go.mod go.sum
  index.css index.html index.js index.ts index.tsx main.c main.cpp main.go main.js main.py main.rs main.ts mod.rs lib.rs
  manage.py next.config.js package-lock.json package.json pnpm-lock.yaml pyproject.toml pytest.ini requirements.txt
  setup.cfg setup.py styles.css tox.ini tsconfig.json vite.config.ts yarn.lock
`)

const WORDS = names(`
  JavaScript TypeScript GitHub GitLab OpenAI PostgreSQL MySQL MongoDB GraphQL camelCase snake_case node_modules
  __init__ __main__ __name__ __file__ __str__ __repr__ __call__ __getitem__ __setitem__ toString hasOwnProperty
  isinstance setTimeout setInterval clearTimeout useState useEffect useMemo useCallback useRef className onClick onChange
  addEventListener querySelector getElementById preventDefault innerHTML textContent forEach indexOf localStorage
  ArithmeticError AssertionError AttributeError BaseException BlockingIOError BrokenPipeError BufferError
  ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError FileExistsError
  FileNotFoundError FloatingPointError FutureWarning ImportError IndentationError IndexError InterruptedError
  IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError
  NotImplementedError OSError OverflowError PermissionError ProcessLookupError RangeError RecursionError ReferenceError
  ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError
  SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
  UserWarning ValueError ZeroDivisionError
  usr/bin/env usr/local/bin bin/bash bin/sh dev/null dev/stdin dev/stdout etc/hosts etc/passwd
  application/json text/html text/plain text/css image/png image/jpeg
  base64 float32 float64 uint16 uint32 uint64 int16 int32 int64 sha256 sha512 es2015 es2020 es2022 utf-16 iso8859
`)

const MEMBERS = names(LIBRARY_NAMES)

function names(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/))
}

/** True for terms that models know without having read them. */
export function isCommonTerm(term: string): boolean {
  return FILES.has(term) || WORDS.has(term) || MEMBERS.has(term)
}

/** True for a member of a standard library, such as `strings.HasSuffix`. */
export function isLibraryMember(dotted: string): boolean {
  const [module = '', member] = dotted.split('.')
  return member !== undefined && MODULES.has(module)
}
