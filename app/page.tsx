import { Playground } from '@/components/playground'

export default function Page() {
  return <Playground />
}
