// A reporter of `node --test`: prints the path of every test file in which something failed.
export default async function* failedFiles(events) {
  const failed = new Set();
  for await (const { type, data } of events) {
    if (type === 'test:fail' || (type === 'test:summary' && !data.success)) failed.add(data.file);
  }
  for (const file of failed) if (file) yield `${file}\n`;
}
