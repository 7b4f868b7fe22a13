let text = ''
for await (const part of process.stdin) text += part
console.log(text.split(/\s+/).filter((word) => word !== '').length)
