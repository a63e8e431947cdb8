export type PipeStatus = "connecting" | "open" | "closed";
export type ReplyKind = "instruct" | "question" | "answer" | "none";
export type Intent = {
    type: ReplyKind;
    result: string;
};
export type Instruct = {
    id: string;
    state: Record<string, any>;
    summary?: string;
    when?: string;
    timer_id?: string;
    cancel?: string;
};
export type Payload = {
    page_id: string;
    question: string;
    instruct?: boolean;
    local?: string | null;
    home?: any;
    home_id?: string;
    now?: string;
    explain?: boolean;
    alternatives?: string[];
};
export type Closing = {
    ret: 0;
    page_id: string;
    question: string;
    active: {
        intent: Intent;
        instructs: Instruct[];
        scheduled?: Instruct[];
        turn?: any;
    };
    explain?: any;
    warnings?: {
        path: string;
        message: string;
    }[];
};
export type RequestOptions = {
    /**
     * the request's id; the same id acts once
     */
    rid?: string;
    /**
     * the summary, as soon as it is known
     */
    onToken?: (intent: Intent) => void;
    /**
     * every frame as it goes over the wire
     */
    onFrame?: (direction: "sent" | "received", text: string) => void;
};
export type PipeOptions = {
    /**
     * topic of every frame
     */
    topic?: string;
    /**
     * a WebSocket class
     */
    socket?: any;
    /**
     * how long a request may stay unanswered
     */
    timeoutMs?: number;
    /**
     * bearer token, where the service asks for one
     */
    token?: string;
};
/** A request the service refused: `ret` ≠ 0, a message for people, and the path of the fault. */
export declare class RefusedError extends Error {
    ret: number;
    path: string;
    /** @param {{ret: number, message?: string, path?: string}} data */
    constructor(data: {
        ret: number;
        message?: string;
        path?: string;
    });
}
/** No answer before the time was up, or the pipe was closed for good. */
export declare class UnansweredError extends Error {
    reason: "closed" | "timeout";
    /** @param {"timeout"|"closed"} reason */
    constructor(reason: "timeout" | "closed");
}
/** A globally unique id, also on pages that are not served over TLS. @returns {string} */
export declare function uniqueId(): string;
/** The pipe. Fires `status` whenever `status` changes. */
export declare class PipeClient extends EventTarget {
    #private;
    url: string;
    topic: string;
    timeoutMs: number;
    /** @type {PipeStatus} */
    status: PipeStatus;
    Socket: any;
    protocols: string[];
    /** @type {Map<string, any>} */
    pending: Map<string, any>;
    pause: number;
    stopped: boolean;
    /** @type {any} */
    socket: any;
    /** @type {any} */
    timer: any;
    /** @param {string} url WebSocket address @param {PipeOptions} [options] */
    constructor(url: string, { topic, socket, timeoutMs, token }?: PipeOptions);
    /** Opens the pipe, at once; it is kept open until `close()`. */
    open(): void;
    /** Closes the pipe for good; open requests fail with `UnansweredError`. */
    close(): void;
    /**
     * Sends one request and resolves with the data of its closing frame; opens the pipe where it is not open. Rejects with
     * `RefusedError` or `UnansweredError`.
     * @param {Payload} payload @param {RequestOptions} [options] @returns {Promise<Closing>}
     */
    request(payload: Payload, { rid, onToken, onFrame }?: RequestOptions): Promise<Closing>;
}
