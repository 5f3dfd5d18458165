export default function Page() {
  return (
    <main className="mx-auto max-w-160 p-6">
      <h1 className="font-semibold text-lg">Observation Masking Playground</h1>
    </main>
  )
}
