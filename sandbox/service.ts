import type { Demo } from './demoIdentities';
import type { DeskBus } from './deskBus';
import type { PhoneBus } from './phoneBus';
import type { Random } from './random';
import type { Input } from './readInput';
import type { RequestLog } from './requestLog';
import type { ServiceName } from './serviceName';

export { serviceNames } from './serviceName';
export type { ServiceName } from './serviceName';

export type SettingValue = string | number | boolean | null;
/** A flat, live object: services read it on each call, so that a change takes effect at once. */
export type Settings = Record<string, SettingValue>;

/** Shared state of the services. Created once per sandbox; `reset` restores its initial state. */
export interface World {
	/** The sandbox's time in ms since 1970: real time plus the sum of all `advance` calls. */
	now(): number;
	/** Advances the clock. Services detect expiry by comparing with `now()`, never by timers. */
	advance(ms: number): void;
	readonly seed: number;
	/** Number of registrations in the demo data. */
	readonly registrations: number;
	/** Number of contacts in all lists together; undefined for the default. */
	readonly contacts?: number;
	/** Seeded random generator: the same seed gives the same IDs and codes in the same order. */
	readonly random: Random;
	readonly settings: Record<ServiceName, Settings>;
	readonly phone: PhoneBus;
	readonly desk: DeskBus;
	readonly requestLog: RequestLog;
	/** Fixed keys and people, the same at every start. */
	readonly demo: Demo;
	/** Invalid responses and handlers that threw; empty in a healthy sandbox. */
	readonly internalErrors: InternalError[];
	/** Registers a hook that runs after settings, clock, randomness, phone, desk and request log were reset. */
	onReset(hook: () => void): void;
	reset(): void;
}

/** A handler that threw, or a response that violates its contract. */
export interface InternalError {
	at: number;
	service: ServiceName;
	operationId: string;
	message: string;
	errors?: string[];
}

/**
 * One request after the contract accepted it. Path and query values have the contract's types; `body` is parsed JSON, or the
 * raw string for application/jwt and text/plain.
 */
export interface ServiceRequest<
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
 * A response of a service. A string body is sent as text/plain unless `contentType` says otherwise (with application/json it
 * becomes a JSON string); every other body is sent as application/json.
 */
export interface HandlerResponse {
	status: number;
	body?: unknown;
	headers?: Record<string, string>;
	contentType?: string;
}

/**
 * Handles one operation. A handler may declare a narrower request, such as `ServiceRequest<{ id: number }>`: the contract has
 * checked at run time what the compiler cannot know here.
 */
export type Handler = (
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	request: ServiceRequest<any, any, any>,
) => HandlerResponse | Promise<HandlerResponse>;

/** Reasons for a response of the core instead of a handler. */
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
	/** Names of the rejected fields, such as `user.email`. */
	fields?: string[];
}

/** Records of a service by kind and ID. */
export type StoredRecords = Record<string, Record<string, unknown>>;

/** Indexes the records of one kind by ID. */
export const indexById = <T>(
	records: Iterable<T>,
	idOf: (record: T) => string | number,
): Record<string, T> => Object.fromEntries([...records].map((record) => [idOf(record), record]));

/** Requests outside the contract that other clients send. Strict mode rejects all of them. */
export interface Lenience {
	/** Alternative paths of the contract's operations, with the operationId of each. */
	aliases?: Record<string, string>;
	/** Absolute path of a contract with operations that other clients use and our nodes don't. */
	contract?: string;
	/** One handler for each operationId of that contract. */
	handlers?: Record<string, Handler>;
	/** Whether forms are accepted in place of JSON, and as the body of a GET in place of its query. */
	forms?: boolean;
	/** Returns the headers with the key where `authorize` expects it. */
	keyHeaders?(
		headers: ServiceRequest['headers'],
		query: ServiceRequest['query'],
	): ServiceRequest['headers'];
}

/** Definition of a service that the server mounts. */
export interface ServiceDefinition {
	name: ServiceName;
	/** Contract to use instead of the one in contracts/services.json, for tests of the core. */
	contract?: string;
	/** Data of a credential besides the base address. */
	credential: Record<string, string>;
	/** One handler for each operationId of the contract; the server does not start otherwise. */
	handlers: Record<string, Handler>;
	/** Requests that the service accepts besides its contract, unless the sandbox is strict. */
	lenient?: Lenience;
	/** Rejects a request without a valid key. Runs before any other part of the request is checked. */
	authorize?(headers: ServiceRequest['headers']): HandlerResponse | undefined;
	/** Returns an error in the service's own format. It may replace the proposed status. */
	errorBody(
		status: number,
		kind: ErrorKind,
		message: string,
		details?: ErrorDetails,
	): HandlerResponse;
	/** Defaults. The live copy is `world.settings[name]`, which the server fills before `reset()`. */
	settings: Settings;
	/** Allowed values of a setting, if they are limited. */
	settingChoices?: Record<string, readonly SettingValue[]>;
	/** Restores the seeded state. Also called once before the first request. */
	reset(): void;
	/** Returns all state that requests can change, so that tests can detect changes. Request counts are excluded. */
	storedRecords(): StoredRecords;
	/**
	 * Actions of this service under POST /control/{service}/{action}. They throw an Error with a clear message if the input is
	 * invalid. The phone needs these of `twoFactor`: `decide({ uuid, decision: 'approved' | 'denied' })` and, for codes of the
	 * authenticator app, `tokens({ phone })`, which returns `[{ twofactor_id, code, secondsLeft }]`.
	 */
	controls?: Record<string, (input: Input) => unknown>;
	/** Views for the desk under GET /desk/api/{service}/{view}. The desk's actions are the controls. */
	desk?: Record<string, (query: Input) => unknown>;
}

/** Exported by the index.ts of every service folder. */
export type ServiceFactory = (world: World) => ServiceDefinition;
