import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call of a tool by the model: the name of the tool's node, and the arguments. */
interface ToolCall {
	tool: string;
	arguments: Record<string, unknown>;
	/** Arguments that the model adds for the human review of the tool. */
	forReview?: Record<string, unknown>;
}

interface Message {
	role: string;
	content: unknown;
}

interface Tool {
	function: { name: string; parameters?: { properties?: Record<string, unknown> } };
}

/** Request of n8n's chat model. */
export interface ChatRequest {
	model: string;
	messages: Message[];
	tools?: Tool[];
	stream?: boolean;
}

const MAX_REQUEST_BYTES = 1_000_000;
const MAX_REQUESTS = 100;
const LIFETIME_MS = 15 * 60_000;

/** One turn of the model: a tool call, or several at once. */
export type Turn = ToolCall | ToolCall[];

/**
 * Plays a chat model on loopback: chat completions as far as n8n's OpenAI chat model needs them. It calls the tools of its
 * script turn by turn, then repeats the results of the last turn. The request determines the position in the script, so a
 * parked execution resumes at its own turn. The server ends after a while.
 */
export class ChatServer {
	/** All requests so far, oldest first. */
	readonly receivedRequests: ChatRequest[] = [];

	private script: Turn[] = [];

	private constructor(private readonly server: Server) {}

	static async open(): Promise<ChatServer> {
		const server = createServer();
		const chat = new ChatServer(server);
		server.on('request', (request, response) => {
			chat.handle(request).then(
				(body) => {
					response.writeHead(200, { 'content-type': 'application/json' });
					response.end(JSON.stringify(body));
				},
				(error: Error) => {
					response.writeHead(400, { 'content-type': 'application/json', connection: 'close' });
					response.end(JSON.stringify({ error: { message: error.message } }));
				},
			);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const lifetimeTimer = setTimeout(() => void chat.close(), LIFETIME_MS).unref();
		server.on('close', () => clearTimeout(lifetimeTimer)).unref();
		return chat;
	}

	/** Base URL for the credential. */
	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
	}

	/** Sets the tools that the model calls in conversations from now on. */
	setScript(script: Turn[]): void {
		this.script = script;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async handle(request: IncomingMessage): Promise<object> {
		if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
			throw new Error(`${request.method} ${request.url} is not played here`);
		}
		const chatRequest = JSON.parse(await readBody(request)) as ChatRequest;
		if (chatRequest.stream) throw new Error('Streams are not played here');
		if (this.receivedRequests.push(chatRequest) > MAX_REQUESTS)
			throw new Error('That was asked too often');
		return formatCompletion(chatRequest, this.nextMessage(chatRequest));
	}

	private nextMessage({ messages, tools = [] }: ChatRequest): object {
		const turns = messages.filter(({ role }) => role === 'assistant');
		const turn = this.script[turns.length];
		if (turn)
			return {
				content: null,
				tool_calls: [turn].flat().map((call) => formatToolCall(call, tools)),
			};
		const message = messages.slice(messages.lastIndexOf(turns.at(-1)!) + 1).map(toText);
		return { content: `The tool said: ${message.join('; ')}` };
	}
}

/** Formats a tool call as chat models send it. */
function formatToolCall(call: ToolCall, tools: Tool[]): object {
	const name = call.tool.replaceAll(/\W+/g, '_');
	const tool = tools.find((candidate) => candidate.function.name === name);
	if (!tool) throw new Error(`The agent has no tool ${name}`);
	// The schema of a reviewed tool has the tool's own arguments one level deeper.
	const isReviewed = tool.function.parameters?.properties?.toolParameters !== undefined;
	const toolArguments = isReviewed
		? { toolParameters: call.arguments, hitlParameters: call.forReview }
		: call.arguments;
	return {
		id: `call_${randomUUID()}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(toolArguments) },
	};
}

const toText = ({ content }: Message): string =>
	typeof content === 'string' ? content : JSON.stringify(content);

function formatCompletion({ model }: ChatRequest, message: object): object {
	const finish = 'tool_calls' in message ? 'tool_calls' : 'stop';
	return {
		id: `chatcmpl-${randomUUID()}`,
		object: 'chat.completion',
		created: Math.floor(Date.now() / 1000),
		model,
		choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > MAX_REQUEST_BYTES) throw new Error('The request is too large');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString();
}
