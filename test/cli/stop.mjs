// Loaded before the command (NODE_OPTIONS=--import): ends it by a signal at one exact point of its course.
//
//   STOP_AT="call public.design"       the engine is asked for that
//   STOP_AT="read private.csv"         the first piece of a file has come
//   STOP_AT="write synthetic.csv"      half of a piece has been written to the draft of a file
//   STOP_AT="rename synthetic.csv"     the draft is whole and not yet in its place; "renamed": just after
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";
import { Worker } from "node:worker_threads";

const [what, name = ""] = (process.env.STOP_AT ?? "").split(" ");
const signal = process.env.STOP_BY ?? "SIGKILL";
let over = false;

function stop() {
  if (over) return;
  over = true;
  process.kill(process.pid, signal);
}

/** Whether a path is that of the file, or of a draft of it. */
const isOurs = (path) => basename(String(path)).replace(/\.\d+-\d+\.part$/, "") === name;

if (what === "call") {
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...rest) {
    postMessage.call(this, message, ...rest);
    if (message?.type === "call" && message.name === name) stop();
  };
}

if (what === "read") {
  const { createReadStream } = fs;
  fs.createReadStream = (path, ...rest) => {
    const stream = createReadStream(path, ...rest);
    if (isOurs(path)) stream.once("data", stop).pause();
    return stream;
  };
}

if (what === "write") {
  const { open } = fs.promises;
  fs.promises.open = async (path, ...rest) => {
    const file = await open(path, ...rest);
    if (!isOurs(path)) return file;
    const write = file.write.bind(file);
    file.write = async (bytes, from, length) => {
      const done = await write(bytes, from, Math.ceil(length / 2));
      stop();
      return done;
    };
    return file;
  };
}

if (what === "rename" || what === "renamed") {
  const { rename } = fs.promises;
  fs.promises.rename = async (from, to) => {
    if (what === "rename" && isOurs(to)) stop();
    await rename(from, to);
    if (what === "renamed" && isOurs(to)) stop();
  };
}
syncBuiltinESMExports();
