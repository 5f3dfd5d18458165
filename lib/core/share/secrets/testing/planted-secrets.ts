/** Texts with a planted secret, and transcripts in which one result has such a text. */
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const ALPHANUMERIC = LOWER + LOWER.toUpperCase() + DIGITS

/** Characters in an order that depends on the length only; never a real key. */
export function made(length: number, alphabet = ALPHANUMERIC): string {
  let state = length * 7919 + 17
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return alphabet[(state >> 8) % alphabet.length]
  }).join('')
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

export const hex = (length: number) => made(length, `${DIGITS}abcdef`)

const AGE = `AGE-${'SECRET'}-KEY-1${made(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')}`
const SESSION = `IQoJ${'b3JpZ2lu'}X2Vj${made(300)}+/${made(40)}==`
const SAS = `${made(42)}%2B${made(10)}%3D`
const DEVOPS_OLD = `${made(50, `${LOWER}234567`)}z7`
const DEVOPS = `${made(76)}${'AZDO'}${made(4)}`
const DISCORD = `M${made(23)}.${made(6)}.${made(38)}`
const VERCEL = made(24)
const MAILGUN = `key-${hex(32)}`
const KUBE_TOKEN = made(64)
const DOPPLER = (kind: string) => `dp.${kind}.${made(43)}`
const DOCKER = base64(`ada:${'hunter'}`)
const COOKIE = `session=${made(32)}; csrf=${made(16)}; theme=dark`
const SET_COOKIE = `sid=${made(40)}; Path=/; HttpOnly; SameSite=Lax`

/** What is planted, a text in which `<>` is the place of the secret, and the secret. */
export const PLANTED: readonly (readonly [name: string, text: string, secret: string])[] = [
  // Passwords in .env files
  ...[
    'hunter',
    'abc',
    'p$w',
    'pa$$(word).x',
    'S3cr.t$1',
    'correcthorse',
    'zz',
    'a.b',
    '(x)',
    '12345678',
  ].map(
    (secret) => [`DB_PASSWORD=${secret}`, 'DB_HOST=db\nDB_PASSWORD=<>\nDB_PORT=1', secret] as const,
  ),
  ['quoted', 'DB_PASSWORD="<>"', 'hunter two'],
  ['quoted with a quote', 'DB_PASSWORD="<>"\nA=1', 'hun$ter'],
  ['single quotes', "DB_PASSWORD='<>'", 'hunter$(x).'],
  ['several words', "SMTP_PASS='<>'", 'pass over the hill'],
  ['several words in JSON', '{"password":"<>"}', 'pass over the hill'],
  ['exported', 'export MYSQL_PWD=<>', 'hunter'],
  ['in a command', 'PGPASSWORD=<> psql -h db', 'hunter'],
  ['in a docker command', "docker run -e 'POSTGRES_PASSWORD=<>' postgres", 'hunter'],
  ['the name goes on', 'DB_PASSWORD_PROD=<>', 'hunter'],
  ['an API key of letters', 'ACME_API_KEY=<>', 'abcdefgh'],
  ['an access token', 'ACME_ACCESS_TOKEN=<>', 'abc-def-ghi'],
  ['a secret', 'CLIENT_SECRET=<>', 'letters.only$(x)'],
  ['with a comment', 'REDIS_PASSWORD=<> # local', 'hunter'],
  ['after a single quote sign', 'a 6" pipe, PASSWORD="<>"', 'hunter'],
  ['exported as PASS', 'export PASS=<>', 'hunter'],
  ['PASS', 'USER=ada\nPASS=<>\n', 'hunter'],
  ['in a sentence', 'log in with password=<> and go', 'hunter2-x9'],
  ['in a sentence, after a colon', 'log in with password:<> and go', 'hunter2-x9'],
  ['the first word of a line', 'DB_PASSWORD=<> words', 'hunter'],
  ['two words in .env', 'DB_HOST=db\nDB_PASSWORD=<>\nDB_PORT=1', 'hunter two'],
  ['two words and a comment', 'DB_PASSWORD=<> # local\nDB_PORT=1', 'hunter two'],
  ['two words in INI', '[client]\npassword = <>\nuser = ada', 'hunter two'],
  ['letters alone', 'password = <>', 'hunter'],
  ['letters alone, after a comment', '# the database\npassword = <>\n', 'hunter'],
  ['INI', '[client]\nuser = ada\npassword = <>\n', 'hunter'],
  ['a line', 'user=ada\npassword=<>\n', 'hunter'],
  ['XML', '<user>ada</user><password><></password>', 'hunter'],
  ['SQL', "ALTER USER ada WITH PASSWORD '<>'", 'hunter'],
  ['sshpass', 'sshpass -p <> ssh ada@db', 'hunter'],
  ['mailer', "auth: { user: 'ada', pass: '<>' }", 'hunter'],
  ['mot_de_passe in .env', 'MOT_DE_PASSE=<>', 'secretement'],
  // JSON
  ...[
    'hunter',
    'abc',
    'pa$$(word).x',
    'two words',
    'x',
    'motdepasse',
    '$ecret',
    '12345678',
    'a,b}c{d',
    "it's",
  ].map(
    (secret) =>
      [`"password": "${secret}"`, '{"user": "ada", "password": "<>", "n": 1}', secret] as const,
  ),
  ['mot_de_passe in JSON', '{"mot_de_passe":"<>"}', 'soleil'],
  ['mot_de_passe in YAML', 'bdd:\n  mot_de_passe: <>\n  port: 1', 'soleil'],
  ['mot_de_passe in code', "mot_de_passe = '<>'", 'soleil'],
  ['a passphrase', '{"passphrase":"<>"}', 'correct horse battery staple'],
  ['a prefixed name', '{"smtpPassword":"<>"}', 'hunter'],
  ['a client secret', '{"client_secret":"<>"}', 'GO-abc123$(x)'],
  ['an API key', '{"apiKey":"<>"}', 'abc.123$def'],
  ['in Python', "connect(user='ada', password='<>')", 'hunter'],
  ['in a Python dictionary', "{'password': '<>', 'x': 1}", 'hunter'],
  ['in JavaScript', 'const password = `<>`;', 'hunter'],
  ['in Go', 'Password: "<>",', 'hunter'],
  // YAML
  ...['hunter', 'abc', 'pa$$(word).x', 'S3cr.t$1', 'x1', 'a.b!c'].map(
    (secret) =>
      [`password: ${secret}`, 'db:\n  user: ada\n  password: <>\n  port: 5432', secret] as const,
  ),
  ['YAML, quoted', 'db:\n  password: "<>"\n', 'hunter'],
  ['YAML, in single quotes', "db:\n  password: '<>'\n", 'hun ter'],
  ['YAML, base64 with padding', 'kind: Secret\ndata:\n  password: <>\n', `${base64('hydrangea7')}`],
  ['YAML, padding at the end of the text', 'password: <>', 'tulipsabc='],
  ['YAML, a tag', 'password: !!str <>\n', 'marigolds'],
  ['YAML, an anchor', 'password: &pw <>\n', 'marigolds'],
  ['Kubernetes, a variable', 'env:\n  - name: DB_PASSWORD\n    value: <>\n', 'begoniaflow'],
  ['a name and a value in JSON', '{"name":"DB_PASSWORD","value":"<>"}', 'bEg0nia.f1ow!X'],
  ['a name and a value in XML', '<add key="Password" value="<>" />', 'gladiolus'],
  ['XML with signs', '<password><></password>', 'p$q(1).;'],
  ['Terraform', 'variable "db_password" {\n  default = "<>"\n}', 'nasturtium'],
  ['PHP', "define( 'DB_PASSWORD', '<>' );", 'Pet(un).ia$9'],
  ['.env, braces', 'DB_PASSWORD=<>\n', '{orchid}x'],
  ['.env, angle brackets', 'DB_PASSWORD=<>\n', '<orch>id'],
  ['a hash of a password', 'root:<>:19000:0:99999:7:::', `$6$saltsalt$${made(86)}`],
  ['.pgpass with an IPv6 address', '[::1]:5432:app:bob:<>', 'cyclamen'],
  ['a short login of Docker', '"auth":"<>"', base64('a:bc')],
  // Headers
  ['a header with token', 'curl -H "Authorization: token <>" https://example.org', hex(40)],
  ['a header with another scheme', 'Authorization: ApiKey <>', made(40)],
  ['a header without a scheme', 'Authorization: <>', made(41)],
  ['a short bearer token', 'Authorization: Bearer <>', 'shorttok9'],
  ['a bearer token of letters', '"Authorization": "Bearer <>"', 'lettersonlytok'],
  // Keys
  ['AWS, INI', '[default]\naws_secret_access_key = <>\nregion = us-east-1', made(40)],
  ['AWS, no spaces', 'aws_secret_access_key=<>', `${made(20)}/${made(19)}`],
  ['AWS, Terraform', 'secret_key = "<>"', made(40)],
  ['AWS, a signed URL', 'https://b.s3.amazonaws.com/x?X-Amz-Signature=<>', hex(64)],
  ['Slack, an app', 'the token is <> here', `xapp-1-A0123456789-1234567890123-${hex(64)}`],
  ['Stripe, a webhook', 'signed with <> here', `whsec_${made(32)}`],
  [
    'the end of a private key',
    'tail key.pem\n<>',
    `${made(64)}\n${made(64)}\n${made(30)}==\n-----END RSA PRIVATE KEY-----`,
  ],
  ['a file of cookies', '.example.org\tTRUE\t/\tTRUE\t0\tsid\t<>', made(24)],
  ['YAML, in a list', '- password: <>\n  user: ada', 'hunter'],
  ['YAML, with a comment', 'password: <> # change', 'hunter'],
  ['YAML, a block', 'db:\n  password: |\n    <>\n  port: 5432', 'hunter'],
  ['YAML, a folded block', 'password: >-\n  <>\n', 'hunter'],
  ['YAML, a block of a key', 'api_key: |-\n  <>\nport: 1', made(32)],
  ['YAML, two words', 'db:\n  user: ada\n  password: <>\n', 'hunter 2'],
  ['compose', 'environment:\n  POSTGRES_PASSWORD: <>\n', 'hunter'],
  ['compose, in a list', 'environment:\n  - POSTGRES_PASSWORD=<>\n', 'hunter'],
  // Properties and connection strings
  ['properties', 'spring.datasource.username=ada\nspring.datasource.password=<>\n', 'hunter'],
  ['libpq', 'host=db user=ada password=<> dbname=x', 'hunter'],
  ['ADO', 'Server=db;User Id=ada;Password=<>;Encrypt=true', 'hunter'],
  ['ADO, Pwd', 'Server=db;Uid=ada;Pwd=<>;', 'hunter'],
  ['the same name and password', 'postgres://admin:<>@db/x', 'admin'],
  ['a short password in a URL', 'redis://:<>@cache:6379', 'abc'],
  ['a password with $ ( ) .', 'postgres://ada:<>@db/x', 'p$(a).b'],
  ['a password with @', 'postgres://ada:<>@db/x', 'p@ss'],
  ['digits in a URL', 'postgres://ada:<>@db/x', '12345678'],
  ['an option', 'tool --password <> --x', 'hunter2'],
  ['an option with =', 'tool --password=<> --x', 'hunter'],
  // .netrc and .pgpass
  ['.netrc', 'machine api.example.org login ada password <>', 'hunter'],
  ['.netrc, several lines', 'machine api.example.org\n  login ada\n  password <>\n', 'abc'],
  ['.netrc, default', 'default login ada password <>', 'pa$$(w).'],
  ['.netrc, password first', 'machine example.org password <> login ada', 'hunter'],
  ['.pgpass', 'db.example.org:5432:app:ada:<>', 'hunter'],
  ['.pgpass, any', '*:*:*:ada:<>', 'abc'],
  ['.pgpass, localhost', 'localhost:5432:*:postgres:<>\n', 'pa$$(w).'],
  // Options of commands
  ['mysql', 'mysql -h db -u root -p<> app', 'hunter'],
  ['mysqldump, quoted', "mysqldump -p'<>' app > app.sql", 'hunter'],
  ['mongosh', 'mongosh -u ada -p <> db', 'hunter'],
  ['redis-cli', 'redis-cli -h db -a <> ping', 'hunter'],
  // kube and Docker configs
  ['kube token', 'users:\n- name: ada\n  user:\n    token: <>\n', KUBE_TOKEN],
  ['kube token in JSON', '{"users":[{"user":{"token":"<>"}}]}', KUBE_TOKEN],
  ['kube key', 'user:\n    client-key-data: <>\n', base64(made(900))],
  ['kube key in JSON', '{"client-key-data":"<>"}', base64(made(900))],
  ['kube password', 'user:\n    username: ada\n    password: <>\n', 'hunter'],
  ['Docker', '{"auths":{"https://index.docker.io/v1/":{"auth":"<>"}}}', DOCKER],
  ['Docker, several lines', '{\n "auths": {\n  "ghcr.io": {\n   "auth": "<>"\n  }\n }\n}', DOCKER],
  ['Docker, password', '{"auths":{"x":{"username":"ada","password":"<>"}}}', 'hunter'],
  ['Docker, identity token', '{"identitytoken":"<>"}', made(48)],
  ['npm', '//registry.example.org/:_auth=<>', base64('ada:letters')],
  ['npm token', '//registry.example.org/:_authToken=<>', made(36)],
  // Providers
  ['AWS session, .env', 'AWS_SESSION_TOKEN=<>', SESSION],
  ['AWS session, INI', '[default]\naws_session_token = <>\n', SESSION],
  ['AWS session, JSON', '{"Credentials":{"SessionToken":"<>"}}', SESSION],
  ['AWS session, alone', 'token is <> .', SESSION],
  ['AWS session, header', 'x-amz-security-token: <>', SESSION],
  ['Azure SAS', 'https://x.blob.core.windows.net/c?sv=2022-11-02&sp=r&sig=<>', SAS],
  ['Azure SAS first', 'https://x.blob.core.windows.net/c?sig=<>&sv=2022-11-02', SAS],
  ['Azure SAS, connection', 'SharedAccessSignature=sv=2022&sig=<>', SAS],
  ['Azure DevOps', 'git clone with <> now', DEVOPS],
  ['Azure DevOps, 52 characters', 'AZURE_DEVOPS_EXT_PAT=<>', DEVOPS_OLD],
  ['Azure DevOps, alone', 'the token: <>', DEVOPS_OLD],
  ['Discord', 'client.login("<>")', DISCORD],
  ['Discord, .env', 'DISCORD_TOKEN=<>', DISCORD],
  ['Discord webhook', `https://discord.com/api/webhooks/${made(18, DIGITS)}/<>`, made(68)],
  ['Cookie', 'GET / HTTP/1.1\nCookie: <>\nAccept: */*', COOKIE],
  ['Cookie in curl', "curl -H 'Cookie: <>' https://example.org", COOKIE],
  ['Cookie in JSON', '{"headers":{"Cookie":"<>"}}', COOKIE],
  ['cookie in lower case', 'cookie: <>', `token=${made(20)}`],
  ['short cookies', 'Cookie: <>\n', 'a=1; b=2'],
  ['cookie of curl', "curl -b '<>' https://example.org", COOKIE],
  ['Set-Cookie', 'HTTP/1.1 200 OK\nSet-Cookie: <>\n', SET_COOKIE],
  ['Set-Cookie in JSON', '{"set-cookie":["<>"]}', SET_COOKIE],
  ['Set-Cookie, quoted value', 'Set-Cookie: <>\n', `sid="${made(12)}"; Path=/`],
  ['Vercel', 'vercel deploy --token <>', `${VERCEL}1`],
  ['Vercel, .env', 'VERCEL_TOKEN=<>', VERCEL],
  ['Vercel, YAML', 'env:\n  VERCEL_TOKEN: <>\n', made(24, LOWER)],
  ['Vercel, JSON', '{"VERCEL_TOKEN":"<>"}', made(24, LOWER)],
  ['Vercel, prefixed', 'use <> here', `vcp_${made(48)}`],
  ['Mailgun', "curl -s --user 'api:<>' https://api.mailgun.net", MAILGUN],
  ['Mailgun, alone', 'with <> as key', MAILGUN],
  ['Mailgun, new', 'with <> as key', `${hex(32)}-${hex(8)}-${hex(8)}`],
  ['age', '# public key: age1x\n<>\n', AGE],
  ['age in JSON', '{"key":"<>"}', AGE],
  ...['pt', 'ct', 'sa', 'scim', 'audit'].map(
    (kind) => [`Doppler dp.${kind}`, 'doppler run, <> ', DOPPLER(kind)] as const,
  ),
  ['Doppler dp.st', 'DOPPLER_TOKEN=<>', `dp.st.dev_main.${made(43)}`],
]

/** A text in a result: as it is, as JSON, and as JSON inside JSON. */
export const NESTINGS: readonly (readonly [string, (text: string) => string])[] = [
  ['plain text', (text) => text],
  ['JSON', (text) => JSON.stringify({ stdout: text, code: 0 })],
  ['JSON in JSON', (text) => JSON.stringify({ out: JSON.stringify([{ text, next: 'x' }]), n: 1 })],
  [
    'JSON in JSON as .NET writes it',
    (text) => dotNet({ out: dotNet([{ text, next: 'x' }]), n: 1 }),
  ],
]

/** With quotes by their code, as System.Text.Json writes them. */
function dotNet(value: unknown): string {
  return JSON.stringify(value).replace(/\\(.)/g, (written, letter) =>
    letter === '"' ? '\\u0022' : written,
  )
}

export function transcript(content: string): string {
  const turn = (id: string, text: string) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'run', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: id, content: text },
  ]
  return JSON.stringify([...turn('a', content), ...turn('b', 'done')])
}
