import { makePurchase } from '../demoData';
import type { DemoData, DemoEvent, DemoRegistration } from '../demoData';

/** A field of a form that is not a property of the record. */
export interface CustomField {
	Name: string;
	Value?: string;
}

/** A contact list; its contacts are counted when it is shown. */
export interface ContactList {
	ContactListId: number;
	Id: string;
	Name: string;
	LastUpdated: string;
}

/** Input of a write of a contact. */
export interface ContactInput {
	FirstName?: string;
	LastName?: string;
	Email?: string;
	Phone?: string;
	Organization?: string;
	Title?: string;
	CustomFields?: CustomField[];
}

/** A contact as the service returns it. */
export interface Contact extends ContactInput {
	ContactId: number;
	Id: string;
	DateAdded: string;
	LastUpdated: string;
}

/** Input of a write of a registration. */
export interface RegistrationInput {
	FirstName?: string;
	LastName?: string;
	Email?: string;
	MobilePhone?: string;
	RegistrationTypeId?: number;
	RegistrationManagerEmail?: string;
	SendEmails?: boolean;
	CustomFields?: CustomField[];
}

/** A registration as the service returns it. */
export interface Registration extends RegistrationInput {
	RegistrationId: number;
	Id: string;
	RegistrationStatus: string;
	RegistrationDate: string;
	ConfirmationCode: string;
	HostRegistrationId: number | null;
	LastUpdated: string;
}

/** A session as the service returns it. */
export interface Session {
	SessionId: number;
	Id: string;
	Title: string;
	StartDateTime: string;
	EndDateTime: string;
}

/** An order as the service returns it. */
export interface Order {
	OrderId: number;
	Id: string;
	EventId: number;
	RegistrationId: number;
	OrderDate: string;
	OrderTotal: number;
	OrderFee: number;
	Tax: number;
	PassFeeToAttendee: boolean;
	IsReplaced: boolean;
}

/** One line of an order as the service returns it. */
interface OrderItem {
	OrderItemId: number;
	OrderId: number;
	EventId: number;
	Id: string;
	RegistrationOptionId: number;
	RegistrationOptionName: string;
	RegistrationOptionGroupId: number;
	RegistrationOptionGroupName: string;
	Quantity: number;
	Price: number;
	Total: number;
	AdditionalInfo: string;
	AdditionalInfoCaption: string;
}

/** A payment or refund as the service returns it. */
export interface Transaction {
	TransactionId: number;
	OrderId: number;
	EventId: number;
	Id: string;
	TransactionType: string;
	TransactionAmount: number;
	TransactionDate: string;
	Currency: string;
	PaymentMethod: string;
	Memo: string;
}

/** An order with its items. */
export interface OrderWithItems {
	order: Order;
	items: OrderItem[];
}

/** Formats a time as the service does: always UTC with milliseconds, so that text order is time order. */
export const toIsoTime = (ms: number): string => new Date(ms).toISOString();

/** Returns the name of a person for the desk, with fallbacks for a missing name. */
export const formatFullName = ({ FirstName, LastName, Email }: ContactInput): string =>
	[FirstName, LastName].filter(Boolean).join(' ') || Email || 'A guest';

/** Rounds an amount to cents. */
export const roundToCents = (amount: number): number => Math.round(amount * 100) / 100;

/** Share of the sum that the service keeps. */
const FEE_RATE = 0.015;
/** Prices include the tax. */
const TAX_RATE = 0.2;

/** Returns the sum, fee and tax of an order. */
export function computeTotals(items: ReadonlyArray<{ Total: number }>) {
	const sum = roundToCents(items.reduce((total, item) => total + item.Total, 0));
	return {
		OrderTotal: sum,
		OrderFee: roundToCents(sum * FEE_RATE),
		Tax: roundToCents(sum - sum / (1 + TAX_RATE)),
	};
}

/** Converts a generated registration to this service's format. */
export function toRegistration(demoRegistration: DemoRegistration): Registration {
	return {
		RegistrationId: demoRegistration.id,
		Id: String(demoRegistration.id),
		FirstName: demoRegistration.person.firstName,
		LastName: demoRegistration.person.lastName,
		Email: demoRegistration.person.email,
		MobilePhone: demoRegistration.person.phone,
		RegistrationTypeId: demoRegistration.typeId,
		RegistrationManagerEmail: demoRegistration.managerEmail,
		SendEmails: false,
		CustomFields: demoRegistration.custom,
		RegistrationStatus: demoRegistration.status,
		RegistrationDate: toIsoTime(demoRegistration.registeredAt),
		ConfirmationCode: demoRegistration.code,
		HostRegistrationId: demoRegistration.hostId,
		LastUpdated: toIsoTime(demoRegistration.updatedAt),
	};
}

/** Converts the generated order and payments of a registration to this service's format. */
export function toOrderWithPayments(
	demoData: DemoData,
	event: DemoEvent,
	demoRegistration: DemoRegistration,
): OrderWithItems & { transactions: Transaction[] } {
	const purchase = makePurchase(demoData.seed, event, demoRegistration);
	const shared = { OrderId: purchase.orderId, EventId: event.id };
	const items = purchase.items.map((item) => ({
		OrderItemId: item.id,
		...shared,
		Id: String(item.id),
		RegistrationOptionId: item.option.id,
		RegistrationOptionName: item.option.name,
		RegistrationOptionGroupId: item.option.groupId,
		RegistrationOptionGroupName: item.groupName,
		Quantity: item.quantity,
		Price: item.option.price,
		Total: item.option.price * item.quantity,
		AdditionalInfo: item.info,
		AdditionalInfoCaption: item.option.question,
	}));
	return {
		order: {
			...shared,
			Id: String(purchase.orderId),
			RegistrationId: demoRegistration.id,
			OrderDate: toIsoTime(purchase.orderedAt),
			...computeTotals(items),
			PassFeeToAttendee: false,
			IsReplaced: false,
		},
		items,
		transactions: purchase.transactions.map((transaction) => ({
			TransactionId: transaction.id,
			...shared,
			Id: String(transaction.id),
			TransactionType: transaction.type,
			TransactionAmount: transaction.amount,
			TransactionDate: toIsoTime(transaction.at),
			Currency: event.currency,
			PaymentMethod: transaction.method,
			Memo: transaction.memo,
		})),
	};
}
