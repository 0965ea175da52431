import type {
	EngineRequest,
	IDataObject,
	IExecuteFunctions,
	IGetNodeParameterOptions,
	IHttpRequestMethods,
} from 'n8n-workflow';

import type { Field, FieldValue } from './field';
import type { Client, Connection } from './http/client';
import type { NamedList } from './http/names';
import type { Paging } from './http/pages';
import type { RecordKind } from './http/records';
import type { ServiceResponse, Request, Service } from './http/types';
import type { Journal } from './journal';

/** Output of an operation for one input item: one record, or a list of them. */
export type Output = IDataObject | IDataObject[];

/** Result for one input item: its output items, or the error that it failed with. */
export type ItemResult = { items: IDataObject[] } | { error: unknown };

/** Values of an operation's fields and options for one item, by field name, as they are sent. */
export type Values = Record<string, unknown>;

/** An HTTP method and a path template as in `contracts/`: `GET /events/{eventId}`. Braces hold names of path fields. */
type RequestLine = `${IHttpRequestMethods} /${string}`;

/** Display texts and metadata of an operation. */
interface OperationInfo {
	/** The name in the Operation list, in title case: `Get Many`. */
	name: string;
	/** The text in n8n's list of actions when a node is added, in sentence case: `Get many events`. */
	action: string;
	/** The text below the name in the Operation list. */
	description: string;
	/** The output fields and their JSON types, for n8n's preview. Needed only if they differ from the OpenAPI document. */
	outputSchema?: Record<string, 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'>;
	/** Whether the operation only reads; reads run concurrently. By default `operationTraits` decides. */
	readOnly?: boolean;
	/** Sentence for a run that stopped at an item. Set if repeating the run is safe although some items took effect. */
	rerunSafety?: string;
	/** Whether writes also run concurrently. `lockKey` or `runBatch` orders the writes that must not. */
	writesConcurrently?: boolean;
}

/** How the engine builds the body of an operation's request, and which responses it accepts. */
interface ExchangeRules {
	/** `json`: sends `{}` if no field fills the body. */
	body?: 'json';
	/**
	 * Content that a success must have (`Request.requiredContent`). By default a GET without `paging` must return one record.
	 * A write without its `record` is uncertain; set this if the contract promises the record.
	 */
	requiredContent?: Request['requiredContent'];
	/**
	 * Returns the ID of a record in the response. A read of one record must return the record with the ID in its path. In
	 * other operations, a body without an ID is searched for a statement that the request failed (`http/checkResponse`).
	 */
	identify?: RecordKind['identify'];
	/**
	 * Accepts responses that would otherwise be a failure but are an expected outcome, such as a 404 or a text. `output` receives
	 * them; in `run` and `runBatch`, `call.send` returns them.
	 */
	accept?: (response: ServiceResponse) => boolean;
}

/** How the engine shapes records before it outputs them, whether they come from a single request, `run` or `runBatch`. */
interface OutputShaping {
	/** The fields of a simplified record, in output order. If present, the engine adds the parameter Simplify. */
	simplify?: readonly string[];
	/** Transforms every output record, simplified or not; for example, converts a list of names and values to fields. */
	transformRecord?: (record: IDataObject) => IDataObject;
	/**
	 * Loads data that simplified records should have and the response lacks, such as the name of a referenced record. Runs
	 * after `transformRecord` and `simplify`; only the fields that `simplify` names are added. Returns the additional fields
	 * of each record, or undefined for none. A failed lookup omits the fields and does not fail the item.
	 */
	lookUp?: (
		records: IDataObject[],
		values: Values,
		call: ItemCall,
	) => Promise<(record: IDataObject) => IDataObject | undefined>;
	/** If present, the engine adds the parameter Outputs, and outputs the items on two branches unless the user chose one. */
	branches?: Branches;
}

/** Two outputs of the node, for an operation whose results decide how the workflow continues. */
export interface Branches {
	/** Names of the outputs. The negative one is the first, because n8n puts on the first what it cannot route. */
	names: readonly [negative: string, positive: string];
	/** Whether a record belongs on the positive output. All others and all failed items belong on the negative one. */
	isPositive: (record: IDataObject) => boolean;
	/** The name of the parameter that must be on; it must have `noDataExpression`. */
	requires?: string;
}

/** Members of an operation that returns a list. */
interface Listing {
	/** How the service splits the list into pages. If present, the engine adds Return All and Limit, and reads page by page. */
	paging?: Paging;
}

/** Whether `run` computes a list: the engine then adds Return All and Limit, and cuts the list off at the limit. */
type ComputedList = { returnsList?: true };

/** Functions of an operation. Each receives the sent values by field name, with the types of the fields. */
interface Handlers<V> {
	/** Signs the fields with target `claim`. The returned token is sent as the whole request body. */
	sign?: (claims: Record<string, unknown>, values: V, call: ItemCall) => Promise<string>;
	/** Converts the response to output; by default its record, else the request body, else `{ success: true }`. */
	output?: (response: ServiceResponse, values: V, call: ItemCall) => Output | Promise<Output>;
	/** Processes one item. Replaces the single request if an item needs several, such as read, merge and write back. */
	run?: (values: V, call: ItemCall) => Promise<Output>;
	/**
	 * Returns the key of a lock that `run` is executed under: no two items with the same key run at the same time in this
	 * process. Items of one execution acquire it in input order; executions acquire it in the order in which they request it
	 * (FIFO).
	 */
	lockKey?: (values: V, call: ItemCall) => string;
	/**
	 * Processes all items in one call. Replaces the loop over items, for bulk requests and for waiting. Returns one result per
	 * input item in input order, or a request that n8n must execute before it runs the node again.
	 */
	runBatch?: (batch: Batch<V>) => Promise<ItemResult[] | EngineRequest>;
}

/**
 * Whether the engine may send the request again after a failure that leaves it unknown whether the service executed it.
 * Exactly one of these two members must be present:
 * - `idempotent: true`: sending it twice has the same effect as sending it once.
 * - `effect`: the effect must not happen twice. The text completes "It's unclear whether …" in the error message, such as
 *   `'the message went out'`.
 */
type Repeatability = { idempotent: true; effect?: never } | { effect: string; idempotent?: never };

/**
 * How an operation is executed: by its single request, by `run` per item, or by `runBatch` for all items. With `run` and
 * `runBatch`, `request` is optional. If present, it is the request that `call.buildRequest()` builds from the fields.
 */
type Strategy<V> =
	| ({ request: RequestLine; run?: never; runBatch?: never } & Listing &
			Pick<Handlers<V>, 'output' | 'sign'>)
	| (NotSingleRequest & { request?: RequestLine; runBatch?: never } & ComputedList &
			Required<Pick<Handlers<V>, 'run'>> &
			Pick<Handlers<V>, 'sign' | 'lockKey'>)
	| (NotSingleRequest & { request?: RequestLine; run?: never } & Required<
				Pick<Handlers<V>, 'runBatch'>
			> &
			Pick<Handlers<V>, 'sign'>);
/** Excludes the members that only apply to the response of a single request. */
type NotSingleRequest = { [K in keyof Listing | 'output']?: never };

/** Requires that the key of each field is the field's `name`. */
type KeyedByName<F> = { [K in keyof F]: Field<K & string> };

/** Types of the sent values by field name. An option that the user did not add is undefined. */
type SentValues<F, O> = { [K in keyof F]: FieldValue<F[K]> } & {
	[K in keyof O]: FieldValue<O[K]> | undefined;
};

type OperationSpec<F, O> = OperationInfo &
	ExchangeRules &
	Repeatability &
	OutputShaping &
	Strategy<SentValues<F, O>> & {
		/** The parameters of the operation, in panel order. */
		fields: F & KeyedByName<F>;
		/** Parameters under Options that only this operation has. The engine adds the shared ones (`panel/options`). */
		options?: O & KeyedByName<O>;
	};

/** One operation of a service, as the engine executes it. `operation()` creates it from a spec with typed values. */
export interface Operation
	extends OperationInfo, ExchangeRules, OutputShaping, Listing, ComputedList, Handlers<Values> {
	/**
	 * The operation's request line (method and path), as in the OpenAPI document. `call.buildRequest()` adds the fields.
	 * Missing if `run` or `runBatch` builds all requests itself.
	 */
	request?: { method: IHttpRequestMethods; path: string };
	fields: Field[];
	options?: Field[];
	/**
	 * Whether sending the request twice has the same effect as once (RFC 9110). Only then does the engine retry after a 5xx
	 * or without a response. It retries a 429 in any case.
	 */
	idempotent?: boolean;
	/** The effect that must not happen twice. Error messages name it if the response is lost. */
	effect?: string;
}

/**
 * Defines one operation of a service: its request, its fields, and functions for anything that these cannot express.
 * `docs/architecture.md` has an example.
 */
export function operation<
	F extends Record<string, Field>,
	O extends Record<string, Field> = Record<never, never>,
>(spec: OperationSpec<F, O>): Operation {
	const { request, fields, options, idempotent, effect, ...rest } = spec;
	const [method, path] = (request?.split(' ') ?? []) as [IHttpRequestMethods, string];
	return {
		// The cast is safe: the engine reads the values with these same fields, so handlers typed by SentValues receive
		// values of those types.
		...(rest as Omit<Operation, 'fields'>),
		request: request && { method, path },
		fields: Object.values(fields),
		options: options && Object.values(options),
		idempotent: idempotent ?? false,
		effect,
	};
}

/** The operations of a service on one type of record. */
export interface Resource {
	name: string;
	description?: string;
	/** By parameter value. Workflows store these values: never rename one. */
	operations: Record<string, Operation>;
	/** The value of the operation that is preselected. */
	defaultOperation: string;
}

/** Defines a resource; the compiler checks that `defaultOperation` is one of its operations. */
export const resource = <O extends Record<string, Operation>>(
	spec: Resource & { operations: O; defaultOperation: keyof O },
): Resource => spec;

/** A service with all resources of its node. */
export interface Catalog extends Service {
	resources: Record<string, Resource>;
	/** The value of the resource that is preselected. */
	defaultResource: string;
	/** Whether the service keeps records that users import, so that input items have fields of the same names. */
	keepsRecords?: true;
	/** Lists of the records that users can specify by name, by the name of the field with the mode `name`. */
	names?: Readonly<Record<string, NamedList>>;
}

/** Defines a catalog; the compiler checks that `defaultResource` is one of its resources. */
export const catalog = <R extends Record<string, Resource>>(
	spec: Catalog & { resources: R; defaultResource: keyof R },
): Catalog => spec;

/** Names of the shared options that the engine reads, other than those of the client (`panel/options`, `panel/limits`). */
type SharedOption = 'askOnce' | 'itemsAtATime' | 'mostRecords' | 'pagesAtATime' | 'returnEmptyItem';

/** Context of one input item: its parameters, client and journal, for the operation's handlers. */
export interface ItemCall {
	readonly context: IExecuteFunctions;
	readonly itemIndex: number;
	readonly service: Catalog;
	readonly operation: Operation;
	/** The service with the node's credential; the same for all items. */
	readonly connection: Connection;
	/** Sends with the retries and timeouts that the user set for this item. Prefer `send`, which also uses the journal. */
	readonly client: Client;
	/** The requests that earlier tries of this run have sent for the item. */
	readonly journal: Journal;
	/** Whether records are simplified; false if the operation has no `simplify`. */
	readonly simplifies: boolean;
	/** The fields of the simplified record that the user selected for an agent; undefined means all. */
	readonly selectedFields?: string[];
	/** The maximum number of records that a list returns; Infinity for Return All. */
	readonly recordLimit: number;
	/** Evaluates a node parameter for this item. Returns the symbol HIDDEN if the parameter is hidden or missing. */
	parameter(name: string, options?: IGetNodeParameterOptions): unknown;
	/** Returns the value of a shared option; undefined if the user did not add it. */
	option(name: SharedOption): unknown;
	/** Adds a value to `secrets`. */
	addSecret(value: unknown): void;
	/** The values that error messages of this item must not contain. */
	secrets(): Iterable<string>;
	/** Builds a request from the operation's fields, with the operation's method and path or with those of `requestLine`. */
	buildRequest(requestLine?: Operation['request']): Promise<Request>;
	/** Sends a request with retries and the journal. The operation's repeatability applies unless the request sets its own. */
	send(request: Request): Promise<ServiceResponse>;
	/** Shows a note next to the node's output in the editor. */
	hint(message: string): void;
}

/** All items of one execution of an operation. */
export interface Batch<V = Values> {
	readonly context: IExecuteFunctions;
	readonly calls: ItemCall[];
	/** Whether the other items are processed if one fails (_On Error: Continue_). */
	readonly continueOnFail: boolean;
	/**
	 * Runs a function for each item with the engine's concurrency limit and locks. Returns results in input order; catches
	 * errors. With `releasesValues`, the engine drops the values of an item afterwards and would have to evaluate them
	 * again. This option is for operations that read each item's values once, and keep only the part that they need for a
	 * long time.
	 */
	each(
		run: (values: V, call: ItemCall) => Promise<Output>,
		options?: { releasesValues?: boolean },
	): Promise<ItemResult[]>;
	/** Outputs a record that belongs to no input item, after the records that do. */
	addUnpaired(record: IDataObject): void;
}
