import type { ServiceRequest, Handler, Settings } from '../service';
import type { Transaction } from './records';
import {
	filterNewer,
	pageResponse,
	notFound,
	recordResponse,
	recordOrArrayResponse,
} from './responses';
import type { PageQuery } from './responses';
import type { Store } from './store';

type AddedAfterQuery = PageQuery & { addedAfter?: string };
interface EventQuery {
	eventId: number;
}

/** Handlers of orders and transactions. */
export function orderHandlers(store: () => Store, settings: Settings): Record<string, Handler> {
	const findSale = (orderId: number, eventId: number) =>
		store().getSale(store().getEvent(eventId), orderId);
	const transactionsResponse = (list: readonly Transaction[], query: AddedAfterQuery) =>
		pageResponse(
			settings,
			query,
			filterNewer(list, query.addedAfter, (it) => it.TransactionDate),
		);

	return {
		searchOrders({ query, body }: ServiceRequest<object, AddedAfterQuery, number>) {
			const sales = store().sales.list(store().getEvent(body).index);
			const newerSales = filterNewer(sales, query.addedAfter, ({ order }) => order.OrderDate);
			return pageResponse(settings, query, newerSales, ({ order }) => order);
		},
		searchOrderItems({ query, body }: ServiceRequest<object, PageQuery & EventQuery, number>) {
			const event = store().getEvent(query.eventId);
			const registration = store().getRegistration(event, body);
			const sales = store().listSales(event, registration.RegistrationId);
			return pageResponse(
				settings,
				query,
				sales.flatMap(({ items }) => items),
			);
		},
		getOrder({ params, query }: ServiceRequest<{ orderId: number }, EventQuery>) {
			return recordResponse(settings, findSale(params.orderId, query.eventId).order);
		},
		getOrderItems({ params, query }: ServiceRequest<{ orderId: number }, PageQuery & EventQuery>) {
			return pageResponse(settings, query, findSale(params.orderId, query.eventId).items);
		},
		getManyTransactions({ query }: ServiceRequest<object, AddedAfterQuery>) {
			return transactionsResponse(store().transactions.all(), query);
		},
		searchTransactions({ query, body }: ServiceRequest<object, AddedAfterQuery, number>) {
			return transactionsResponse(store().transactions.list(store().getEvent(body).index), query);
		},
		getTransaction({ params }: ServiceRequest<{ transactionId: number }>) {
			const found = store().transactions.find(params.transactionId);
			if (!found) throw notFound(`There is no transaction ${params.transactionId}.`);
			return recordOrArrayResponse(settings, found.record);
		},
	};
}
