// Compiled, never run: the declarations say what the client does.
import { PipeClient, RefusedError, UnansweredError, uniqueId } from "./client.js";

const pipe = new PipeClient("ws://127.0.0.1:8765/agent/smarthome-gpt/llm/stream", { token: "t", timeoutMs: 1000 });
pipe.addEventListener("status", () => pipe.status satisfies "connecting" | "open" | "closed");

export async function said(home: object): Promise<string> {
  try {
    const data = await pipe.request(
      { page_id: uniqueId(), question: "关登", alternatives: ["关灯"], instruct: true, home },
      { onToken: (intent) => intent.type satisfies "instruct" | "question" | "answer" | "none" },
    );
    return [...data.active.instructs, ...(data.active.scheduled ?? [])].map((one) => `${one.id} ${one.when ?? "now"}`).join() + data.active.intent.result;
  } catch (error) {
    if (error instanceof RefusedError) return `${error.ret satisfies number} ${error.path}`;
    if (error instanceof UnansweredError) return error.reason;
    throw error;
  }
}

// @ts-expect-error a question is required
void pipe.request({ page_id: "p" });
