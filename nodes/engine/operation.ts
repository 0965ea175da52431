import type {
	EngineRequest,
	IDataObject,
	IExecuteFunctions,
	IGetNodeParameterOptions,
	IHttpRequestMethods,
} from 'n8n-workflow';

import type { Field, FieldValue } from './field';
import type { Client } from './http/client';
import type { Paging } from './http/pages';
import type { Answer, Request, Service } from './http/types';

/** What an operation puts out for one item. */
export type Output = IDataObject | IDataObject[];

/** What one input item comes to: the items it puts out, or why it failed. */
export type Result = { items: IDataObject[] } | { error: unknown };

/** What the fields and options of an operation came to for one item, by their names: what is sent. */
export type Values = Record<string, unknown>;

/** A method and a path with the names of path fields in braces, as in the contract. */
export type RequestLine = `${IHttpRequestMethods} /${string}`;

/** What an operation says of itself to whoever looks for it. */
interface OperationInfo {
	/** The name in the Operation list, in title case. */
	name: string;
	/** The name in the node panel, in sentence case. */
	action: string;
	description: string;
	/** The fields of the output and their JSON types, where it is not simply the contract's answer; n8n previews them. */
	yields?: Record<string, 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'>;
	/** Whether it only reads, when method and repeatability do not tell: reads run several at a time. */
	reads?: boolean;
}

/** How an answer to the request of an operation is taken. */
interface ResponseHandling {
	/** `json` sends an object even when it is empty. */
	body?: 'json';
	/** Whether the answer may be a text, such as a token, where JSON is expected otherwise. */
	text?: boolean;
	/** `any` where a read without pages may be answered with JSON of any shape; by default it asks for one record. */
	answers?: 'any';
	/** Answers other than success that are an expected outcome, not an error. */
	accept?: (answer: Answer) => boolean;
}

/** What is done to the records of an operation before they come out, whichever way it is carried out. */
interface OutputShaping {
	/** The fields that remain when Simplify is on, in this order; the engine offers Simplify where this is given. */
	simplify?: readonly string[];
	/** What is done to every record that comes out, simplified or not, for example to a list of names and values. */
	tidy?: (record: IDataObject) => IDataObject;
	/**
	 * Looks up what a simplified record should say and the answer does not, such as the name behind an ID. It comes last, and what
	 * cannot be looked up is left out: it fails no item.
	 */
	lookUp?: (
		records: IDataObject[],
		values: Values,
		call: Call,
	) => Promise<(record: IDataObject) => IDataObject | undefined>;
}

/** A list of records. */
interface Listing {
	/** How the service cuts a long list into pages; gives the operation Return All and Limit. */
	pages?: Paging;
}

/** The functions of an operation; each gets what was sent, by the names of the fields. */
interface Handlers<V> {
	/** Signs the claim fields; the token is the whole body of the request. */
	sign?: (claims: Record<string, unknown>, values: V, call: Call) => Promise<string>;
	/** Makes output out of the answer; by default the body as it is. */
	output?: (answer: Answer, values: V, call: Call) => Output | Promise<Output>;
	/** Replaces the single request where an item needs several. */
	run?: (values: V, call: Call) => Promise<Output>;
	/**
	 * What an item works on, where no two may work on the same at once: those of one execution do so in their order, executions
	 * of this process as they come.
	 */
	lockKey?: (values: V, call: Call) => string;
	/**
	 * Replaces the loop over items where items are handled together. Gives one result per input item, or what n8n is to do
	 * before it runs the node again.
	 */
	runBatch?: (batch: Batch<V>) => Promise<Result[] | EngineRequest>;
}

/** Sending it twice does no more than sending it once, or it must not happen twice: then the words say what would. */
type Repeatability = { repeatable: true; once?: never } | { once: string; repeatable?: never };

/** An operation is carried out in one of three ways: as its request says, by `run`, or by `runBatch`. */
type Strategy<V> =
	| ({ request: RequestLine; run?: never; runBatch?: never } & Listing &
			Pick<Handlers<V>, 'output' | 'sign'>)
	| (NotSingleRequest & { request?: RequestLine; runBatch?: never } & Required<
				Pick<Handlers<V>, 'run'>
			> &
			Pick<Handlers<V>, 'sign' | 'lockKey'>)
	| (NotSingleRequest & { request?: RequestLine; run?: never } & Required<
				Pick<Handlers<V>, 'runBatch'>
			> &
			Pick<Handlers<V>, 'sign'>);
type NotSingleRequest = { [K in keyof Listing | 'output']?: never };

/** Every field stands under its own name. */
type KeyedByName<F> = { [K in keyof F]: Field<K & string> };

/** What is sent, by the names of fields and options. */
export type SentValues<F, O> = { [K in keyof F]: FieldValue<F[K]> } & {
	[K in keyof O]: FieldValue<O[K]> | undefined;
};

type OperationSpec<F, O> = OperationInfo &
	ResponseHandling &
	Repeatability &
	OutputShaping &
	Strategy<SentValues<F, O>> & {
		fields: F & KeyedByName<F>;
		/** Optional settings of this operation alone; the engine adds those that all share. */
		options?: O & KeyedByName<O>;
	};

/** One operation of a service as the engine runs it. */
export interface Operation
	extends OperationInfo, ResponseHandling, OutputShaping, Listing, Handlers<Values> {
	/** Absent on operations that are composed of several requests. */
	request?: { method: IHttpRequestMethods; path: string };
	fields: Field[];
	options?: Field[];
	/** Whether sending it twice does no more than sending it once. Only then is it sent again after a failure of the service. */
	repeatable?: boolean;
	/** What must not happen twice, such as "the message went out": what is not known when the answer is lost. */
	effect?: string;
}

/** One operation of a service: a row of its API table, and whatever is more than a row. */
export function operation<
	F extends Record<string, Field>,
	O extends Record<string, Field> = Record<never, never>,
>(spec: OperationSpec<F, O>): Operation {
	const { request, fields, options, repeatable, once, ...rest } = spec;
	const [method, path] = (request?.split(' ') ?? []) as [IHttpRequestMethods, string];
	return {
		// Values are built from these very fields, so whoever gets them may know their types.
		...(rest as Omit<Operation, 'fields'>),
		request: request && { method, path },
		fields: Object.values(fields),
		options: options && Object.values(options),
		repeatable: repeatable ?? false,
		effect: once,
	};
}

/** The operations that a service offers on one kind of thing. */
export interface Resource {
	name: string;
	description?: string;
	/** By their stable values, which are stored in workflows. */
	operations: Record<string, Operation>;
	/** The value of the operation that is chosen at first. */
	initial: string;
}

/** A resource whose first choice is one of its operations. */
export const resource = <O extends Record<string, Operation>>(
	spec: Resource & { operations: O; initial: keyof O },
): Resource => spec;

/** A service, with everything that its node offers. */
export interface Catalog extends Service {
	resources: Record<string, Resource>;
	/** The value of the resource that is chosen at first. */
	initial: string;
}

/** A catalog whose first choice is one of its resources. */
export const catalog = <R extends Record<string, Resource>>(
	spec: Catalog & { resources: R; initial: keyof R },
): Catalog => spec;

/** The options of every operation that the engine itself reads. */
export type SharedOption =
	'askOnce' | 'itemsAtATime' | 'mostRecords' | 'pagesAtATime' | 'returnEmptyItem';

/** How the work on an item ended. */
export type Outcome<T = unknown> = { value: T } | { error: unknown };

/**
 * Keeps one item from sending again what an earlier try of the same run has sent, successfully or with an unknown result
 * (_Retry On Fail_). What was surely not carried out is sent again.
 */
export interface Journal {
	/** How an earlier try finished the item. */
	readonly outcome: Outcome | undefined;
	/** Whether a request of the item was sent that must not be sent again. */
	readonly hasSent: boolean;
	/** Finishes the item: no later try processes it. */
	settle(outcome: Outcome): void;
	/**
	 * Does the work on the item, unless an earlier try has finished it. A success finishes it, and so does a failure that leaves
	 * it unknown whether a request was carried out.
	 */
	once<T>(work: () => Promise<T>): Promise<T>;
}

/** Everything an operation may need while it handles one item. */
export interface Call {
	readonly context: IExecuteFunctions;
	readonly itemIndex: number;
	readonly service: Catalog;
	readonly operation: Operation;
	/** Sends under the options of this item. */
	readonly client: Client;
	/** What earlier tries of this run have sent, where n8n repeats it. */
	readonly journal: Journal;
	/** Whether the user wants the shorter record, where there is one. */
	readonly simplifies: boolean;
	/** The only fields of the shorter record that the user wants, if not all. */
	readonly selected?: string[];
	/** How many records of a list the user wants; all of them is a number without end. */
	readonly recordLimit: number;
	/** What a parameter of the node comes to for this item; something else than any value where it is hidden or missing. */
	parameter(name: string, options?: IGetNodeParameterOptions): unknown;
	/** The value of an optional setting that all operations share. */
	option(name: SharedOption): unknown;
	/** Marks a value as one that no error may show. */
	keepSecret(value: unknown): void;
	/** Everything that no error of this item may show. */
	secrets(): Iterable<string>;
	/** The operation's own request, or that of another row, filled in from the fields of this one. */
	request(row?: Operation['request']): Promise<Request>;
	/** Sends a request by the engine's rules, with this operation's repeatability unless the request says otherwise. */
	send(request: Request): Promise<Answer>;
	/** Shows a note beside the node's output. */
	hint(message: string): void;
}

/** All items of one execution of an operation. */
export interface Batch<V = Values> {
	readonly context: IExecuteFunctions;
	readonly calls: Call[];
	/** Whether one failing item should leave the others alone. */
	readonly continueOnFail: boolean;
	/** Runs something for each item by the engine's rules (some at a time, in order) and catches what each throws. */
	each(run: (values: V, call: Call) => Promise<Output>): Promise<Result[]>;
}

/** Whether an operation only reads, so that several items may run at a time. */
export function onlyReads(operation: Operation): boolean {
	if (operation.reads !== undefined) return operation.reads;
	const method = operation.request?.method;
	return operation.repeatable === true && method !== 'PUT' && method !== 'DELETE';
}

/** Whether an operation is one request that asks for exactly one record. */
export const readsOneRecord = (operation: Operation): boolean =>
	isPlainRead(operation) && operation.answers !== 'any';

/** Whether an operation is one request that reads, and no list. A HEAD has no body. */
export const isPlainRead = (operation: Operation): boolean =>
	canShareAnswers(operation) && operation.request?.method === 'GET' && !operation.pages;

/** Whether items that ask for the same may share one answer: nothing is changed, decided or waited for, and one request says it all. */
export const canShareAnswers = (operation: Operation): boolean =>
	onlyReads(operation) && !operation.run && !operation.runBatch;
