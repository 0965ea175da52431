import type { Demo } from './demo';
import type { DeskBus } from './deskBus';
import type { Input } from './input';
import type { Journal } from './journal';
import type { PhoneBus } from './phoneBus';
import type { Random } from './random';
import type { ServiceName } from './serviceName';

export { serviceNames } from './serviceName';
export type { ServiceName } from './serviceName';

export type SettingValue = string | number | boolean | null;
/** A flat, live object: services read it at each call, so a change acts at once. */
export type Settings = Record<string, SettingValue>;

/** Everything that services share. Created once per sandbox; `reset` brings it back to the start. */
export interface World {
	/** The sandbox's time in ms since 1970: real time plus whatever the clock was advanced by. */
	now(): number;
	/** Moves the clock forward. Services find expiry by comparing with `now()`, never by timers. */
	advance(ms: number): void;
	readonly seed: number;
	/** How many registrations the generated demo data should have. */
	readonly registrations: number;
	/** How many contacts its lists should have, if not as many as usual. */
	readonly contacts?: number;
	/** Seeded randomness: the same seed gives the same ids and codes in the same order. */
	readonly random: Random;
	readonly settings: Record<ServiceName, Settings>;
	readonly phone: PhoneBus;
	readonly desk: DeskBus;
	readonly journal: Journal;
	/** Fixed keys, guest and manager, the same at every start. */
	readonly demo: Demo;
	/** Answers and handlers that broke: empty in a healthy sandbox. */
	readonly faults: Fault[];
	/** Runs after settings, clock, randomness, phone, desk and journal were brought back. */
	onReset(hook: () => void): void;
	reset(): void;
}

/** A handler that threw, or an answer that its contract does not know. */
export interface Fault {
	at: number;
	service: ServiceName;
	operationId: string;
	message: string;
	errors?: string[];
}

/**
 * One request after the contract accepted it. Path and query values have the contract's types;
 * `body` is parsed JSON, or the raw string for application/jwt and text/plain.
 */
export interface Call<
	Params = Record<string, unknown>,
	Query = Record<string, unknown>,
	Body = unknown,
> {
	operationId: string;
	params: Params;
	query: Query;
	headers: Record<string, string | undefined>;
	body: Body;
	now: number;
}

/**
 * What a service answers. A string body goes out as text/plain unless `contentType` says otherwise
 * (with application/json it becomes a JSON string); every other body goes out as application/json.
 */
export interface Answer {
	status: number;
	body?: unknown;
	headers?: Record<string, string>;
	contentType?: string;
}

/**
 * Handles one operation. It may be written for any narrower Call, such as `Call<{ id: number }>`:
 * the contract has checked at run time what the compiler cannot know here.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Handler = (call: Call<any, any, any>) => Answer | Promise<Answer>;

/** Why the core, and not a handler, has to answer. */
export type ErrorKind =
	| 'bad-json'
	| 'contract'
	| 'media-type'
	| 'too-large'
	| 'unknown-route'
	| 'method'
	| 'rate-limit'
	| 'unavailable'
	| 'internal';

export interface ErrorDetails {
	operationId?: string;
	contentType?: string;
	/** One line per violation, such as `body/user/email must be string`. */
	violations?: string[];
	/** The bare names of the fields that were refused, such as `user.email`. */
	fields?: string[];
}

/** What a service holds: records by kind, and by id within their kind. */
export type Holdings = Record<string, Record<string, unknown>>;

/** Records of one kind, as holdings have them. */
export const byId = <T>(
	records: Iterable<T>,
	idOf: (record: T) => string | number,
): Record<string, T> => Object.fromEntries([...records].map((record) => [idOf(record), record]));

/** Requests outside the contract that other clients send. Strict mode rejects all of them. */
export interface Lenience {
	/** Other paths of the contract's operations, and the operationId of each. */
	aliases?: Record<string, string>;
	/** The absolute path of a contract with operations that other clients use and our nodes don't. */
	contract?: string;
	/** One handler for each operationId of that contract. */
	handlers?: Record<string, Handler>;
	/** Whether forms are accepted in place of JSON, and as the body of a GET in place of its query. */
	forms?: boolean;
	/** Returns the headers with the key where `authorize` expects it. */
	keyHeaders?(headers: Call['headers'], query: Call['query']): Call['headers'];
}

/** A service, as the server mounts it. */
export interface ServiceDefinition {
	name: ServiceName;
	/** Another contract than the table of services names, for tests of the core. */
	contract?: string;
	/** What a credential for it holds besides the base address. */
	credential: Record<string, string>;
	/** One handler for each operationId of the contract; the server refuses to start otherwise. */
	handlers: Record<string, Handler>;
	/** What the service accepts besides its contract, unless the sandbox is strict. */
	lenient?: Lenience;
	/** Refuses a request without a good key. Runs before anything in the request is looked at. */
	authorize?(headers: Call['headers']): Answer | undefined;
	/** The service's own error shape. May answer another status than the one proposed. */
	errorBody(status: number, kind: ErrorKind, message: string, details?: ErrorDetails): Answer;
	/** Defaults; the live copy is `world.settings[name]`, which the server fills before `reset()`. */
	settings: Settings;
	/** Allowed values of a setting, where it is not free. */
	settingChoices?: Record<string, readonly SettingValue[]>;
	/** Back to the seeded state. Also called once before the first request. */
	reset(): void;
	/** All that requests can change, so that a test sees what one has changed. Counts of requests are not part of it. */
	holdings(): Holdings;
	/**
	 * Actions of this service under POST /control/{service}/{action}. They throw an Error with a
	 * clear message when the input is wrong. The phone needs these of `twoFactor`:
	 * `decide({ uuid, decision: 'approved' | 'denied' })` and, for codes of the authenticator app,
	 * `tokens({ phone })` giving `[{ twofactor_id, code, secondsLeft }]`.
	 */
	controls?: Record<string, (input: Input) => unknown>;
	/** What the desk reads of this service, under GET /desk/api/{service}/{view}; its actions are the controls. */
	desk?: Record<string, (query: Input) => unknown>;
}

/** Every service folder exports one of these from its index.ts. */
export type ServiceFactory = (world: World) => ServiceDefinition;
