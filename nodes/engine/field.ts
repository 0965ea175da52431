import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	NodePropertyTypes,
} from 'n8n-workflow';

/** The part of a request that a value goes to. `wholeBody` is for bodies that are not objects, such as a bare number. */
export type RequestPart = 'path' | 'query' | 'body' | 'wholeBody' | 'claim';

/** Where the value of a field goes in the request. */
export interface Target {
	in: RequestPart;
	/** The service's name for it, when it differs from the field's; a dot reaches into an object of the body. */
	as?: string;
	/** Whether the value is an object of names and values, each of which goes there by its own name. */
	spread?: boolean;
}

/** What reading a field may need besides what the user gave for it. */
export interface ReadContext {
	/** The user's time zone, for dates that were typed without one. */
	readonly timezone: string;
	/** What the user gave for another field of the same operation. */
	given(field: Field): unknown;
	/** Whether the user set a field: added an option, or filled in a field, if only with an expression that returns nothing. */
	isSet(field: Field): boolean;
	/** Marks a value as one that no error may show. */
	keepSecret(value: unknown): void;
}

/**
 * Turns what the user gave into what the service wants; `undefined` leaves it out. The label is how messages call the field.
 * Throws BadInput for what cannot be sent.
 */
export type Read<Value> = (given: unknown, context: ReadContext, label: string) => Value;

/** A field of an operation: the n8n property that shows it, how it is read, and where its value goes. */
export type Field<Name extends string = string, Value = unknown> = Omit<
	INodeProperties,
	'name' | 'options'
> & {
	name: Name;
	/** Without it a field that holds one text gives a text, and any other what the user gave. */
	read?: Read<Value>;
	/** Whether `read` is asked even when the field was left blank, since what to send can come from elsewhere. */
	readWhenBlank?: boolean;
	/**
	 * Whether a blank value fails the item once the user set the field. For checks: a check that is left out because its value is
	 * missing looks like one that has passed.
	 */
	rejectBlank?: boolean;
	/** Absent where the value goes into no request, or the operation itself puts it there. */
	target?: Target;
	/** A value that must not appear in errors, such as a one-time code. */
	secret?: boolean;
	options?: Array<INodePropertyOptions | INodePropertyCollection | Field>;
};

/** What a field gives. */
export type FieldValue<F> = F extends { read?: Read<infer Value> } ? Value : never;

/** What a field without a reader gives, by its type. */
type ValueOfType<Type> = Type extends 'string' | 'options' | 'resourceLocator' | 'hidden'
	? string
	: unknown;

type Display = INodeProperties['displayOptions'];
type Flag = boolean | undefined;

/** What a field says of when it gives a value. */
interface Presence<Required extends Flag, ReadWhenBlank extends Flag, Shown extends Display> {
	required?: Required;
	readWhenBlank?: ReadWhenBlank;
	displayOptions?: Shown;
}

type Spec<Name extends string, Type extends NodePropertyTypes> = Omit<
	Field<Name>,
	'type' | 'read' | keyof Presence<Flag, Flag, Display>
> & { type: Type };

/** A value, or nothing where the field may be left blank or be hidden by another one. */
type MaybeValue<
	Value,
	Required extends Flag,
	ReadWhenBlank extends Flag,
	Shown extends Display,
> = Shown extends object
	? Value | undefined
	: Required extends true
		? Exclude<Value, undefined>
		: ReadWhenBlank extends true
			? Value
			: Value | undefined;

/** A field, with the type of what it gives: what its reader gives, or else what its type does. */
export function field<
	Name extends string,
	Type extends NodePropertyTypes,
	Value,
	Required extends Flag = undefined,
	ReadWhenBlank extends Flag = undefined,
	Shown extends Display = undefined,
>(
	spec: Spec<Name, Type> & Presence<Required, ReadWhenBlank, Shown> & { read: Read<Value> },
): Field<Name, MaybeValue<Value, Required, ReadWhenBlank, Shown>>;
export function field<
	Name extends string,
	Type extends NodePropertyTypes,
	Required extends Flag = undefined,
	ReadWhenBlank extends Flag = undefined,
	Shown extends Display = undefined,
>(
	spec: Spec<Name, Type> & Presence<Required, ReadWhenBlank, Shown> & { read?: undefined },
): Field<Name, MaybeValue<ValueOfType<Type>, Required, ReadWhenBlank, Shown>>;
export function field(spec: Field): Field {
	return spec;
}

/** A collection of fields, each of which is added when it is wanted; its value has those that were. */
export function collection<Name extends string, Fields extends Field[]>(
	spec: Omit<Field<Name>, 'type' | 'options' | 'default' | 'read'> & { options: [...Fields] },
): Field<Name, { [F in Fields[number] as F['name']]?: FieldValue<F> } | undefined> {
	return { ...spec, type: 'collection', default: {} };
}

/** The same field where it may be left open. */
export const optional = <Name extends string, Value>(
	base: Field<Name, Value>,
	changes: Partial<Omit<Field, 'name' | 'read'>> = {},
): Field<Name, Value | undefined> => ({ ...base, ...changes, required: undefined });

/** The same field, shown only where another one has one of these values. */
export const shownIf = <Name extends string, Value>(
	base: Field<Name, Value>,
	values: NonNullable<IDisplayOptions['show']>,
): Field<Name, Value | undefined> => ({
	...base,
	displayOptions: { show: { ...base.displayOptions?.show, ...values } },
});
