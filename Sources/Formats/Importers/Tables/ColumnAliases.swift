/// Names that other programs give to the columns of tables of fixes and of trips, as found in
/// sample tables.
enum ColumnAliases {
    /// A name of a column, and the unit that is written in it: `Distance (km)`.
    struct Name {
        /// The name without the unit, as ``ColumnHeader/plain(_:)`` has it; nothing if it is only a
        /// unit, such as `Miles`.
        var plain: String

        /// The unit; `nil` if there is none in the name.
        var unit: ColumnMap.Unit?

        /// Takes a name apart.
        init(_ written: String) {
            var words = Self.words(of: written)
            // A single letter is more often a name than a unit, except at the end.
            if let last = words.last, let unit = ColumnMap.Unit.spelled(last) {
                self.unit = unit
                words.removeLast()
            } else if let first = words.first, first.count > 1,
                let unit = ColumnMap.Unit.spelled(first)
            {
                self.unit = unit
                words.removeFirst()
            }
            plain = words.joined()
        }

        /// Returns the words of a name, in small letters; the unit of a speed is one word.
        private static func words(of written: String) -> [String] {
            var text = written.lowercased()
            // Fast paths: few names have a unit of speeds in them, and nearly every one is ASCII.
            if text.utf8.contains(UInt8(ascii: "/")) {
                text = text.replacing("km/h", with: "kmh").replacing("m/s", with: "mps")
                    .replacing("mi/h", with: "mph")
            }
            guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
                return text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
            }
            return text.utf8.split { !$0.isSmallLetterOrDigit }.map { String(Substring($0)) }
        }
    }

    /// Finds the column that most likely holds a field.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - names: The names of the columns.
    ///   - day: A column that is known not to hold it; `nil` for none.
    ///   - isTime: Returns whether the content of a column looks like times: `Start` may be one, or
    ///     a place.
    /// - Returns: The index of the column; `nil` if no column has a name of the field.
    static func index(
        of field: ColumnMap.Field,
        in names: [Name],
        besides day: Int? = nil,
        isTime: (Int) -> Bool
    ) -> Int? {
        for alias in (aliases[field] ?? []) + (foreignAliases[field] ?? []) {
            let index = names.indices.first { index in
                let name = names[index]
                guard index != day, name.plain == alias else { return false }
                // `Miles` is a distance, and `Start (km)` an odometer, but `Minutes` is neither.
                if let unit = name.unit { return field.units.contains(unit) }
                guard !alias.isEmpty else { return false }
                guard ambiguous.contains(alias) else { return true }
                return field.isTime == isTime(index)
            }
            if let index { return index }
        }
        return nil
    }

    /// Names that mean times in some tables, and places in others.
    private static let ambiguous: Set<String> = [
        "start", "end", "stop", "begin", "finish", "vertrek", "aankomst", "abfahrt", "ankunft",
        "anfang", "beginn", "ende", "eind", "départ", "arrivée", "salida", "llegada", "inicial",
        "final", "partenza", "arrivo", "iniziali", "finali",
    ]

    /// What a column is called that tells records apart, in the languages of the others: a number
    /// of an order, a receipt or an invoice, but none of a trip, which apps may give anew.
    private static let recordNames: Set<String> = [
        "orderno", "ordernr", "ordernumber", "orderid", "order", "jobno", "jobnumber", "jobid",
        "reference", "referenceno", "referencenumber", "referenceid", "ref", "refno", "refnumber",
        "transaction", "transactionid", "transactionno", "transactionnumber", "transactionref",
        "transactionreference", "receipt", "receiptno", "receiptnumber", "receiptid", "invoice",
        "invoiceno", "invoicenumber", "invoiceid", "voucher", "voucherno", "vouchernumber",
        "documentno", "documentnumber", "recordid", "recordno", "entryid", "entryno",
        "ordernummer", "opdracht", "opdrachtnr", "opdrachtnummer", "referentie",
        "referentienummer", "kenmerk", "factuur", "factuurnr", "factuurnummer", "bonnr",
        "bonnummer", "transactie", "transactienummer",
        "auftrag", "auftragsnr", "auftragsnummer", "auftragnr", "beleg", "belegnr",
        "belegnummer", "referenz", "referenznr", "referenznummer", "rechnung", "rechnungsnr",
        "rechnungsnummer", "quittung", "quittungsnr", "transaktion", "transaktionsnr",
        "transaktionsnummer", "vorgang", "vorgangsnr", "vorgangsnummer", "buchungsnr",
        "buchungsnummer",
        "référence", "réf", "nréférence", "facture", "nfacture", "numérofacture",
        "numérodefacture", "ndefacture", "commande", "ncommande", "numérodecommande", "reçu",
        "nreçu", "justificatif", "numérodetransaction",
        "referencia", "factura", "nfactura", "recibo", "pedido", "npedido", "transacción",
        "riferimento", "fattura", "nfattura", "ricevuta", "ordine", "transazione",
    ]

    /// Whether a column is called like one that tells records apart.
    static func isRecord(_ name: Name) -> Bool {
        name.unit == nil && recordNames.contains(name.plain)
    }

    private static let aliases: [ColumnMap.Field: [String]] = [
        .source: ["deviceid", "device", "tracker", "trackerid"],
        .time: [
            "time", "timestamp", "datetime", "dateandtime", "utc", "utctime", "fixtime", "gpstime",
            "recordedat", "occurredat", "localtime", "epoch", "unixtime", "epochtime", "date",
            "paidat", "purchasedate", "transactiondate", "bookingdate",
        ],
        .latitude: ["lat", "latitude", "latdeg", "latitudens", "gpslatitude", "y"],
        .longitude: [
            "lon", "lng", "long", "longitude", "londeg", "longitudeew", "gpslongitude", "x",
        ],
        .accuracy: ["accuracy", "acc", "horizontalaccuracy", "hacc"],
        .altitude: ["altitude", "elevation", "ele", "alt", "height"],
        .speed: ["speed", "velocity", "vel", "spd", "groundspeed", ""],
        .course: ["course", "bearing", "heading", "cog", "direction"],
        .provider: ["provider"],
        .mock: ["mock", "ismock"],
        .startedAt: [
            "startedat", "starttime", "startdate", "startdatetime", "timestarted", "departuretime",
            "departure", "tripstart", "startofftrip", "begintime", "start", "begin", "datetime",
            "date", "tripdate",
        ],
        .endedAt: [
            "endedat", "endtime", "enddate", "enddatetime", "timeended", "arrivaltime", "arrival",
            "tripend", "stoptime", "finishtime", "end", "stop", "finish",
        ],
        .duration: ["duration", "triptime", "drivetime", "elapsed", "traveltime"],
        .distance: [
            "distance", "tripdistance", "totaldistance", "mileage", "driven", "length",
            "triplength", "distancedriven", "",
        ],
        .origin: [
            "from", "origin", "startaddress", "startlocation", "startplace", "fromaddress",
            "fromlocation", "startingpoint", "startpoint", "departurelocation", "fromfulladdress",
            "start", "begin",
        ],
        .destination: [
            "to", "destination", "endaddress", "endlocation", "endplace", "toaddress",
            "tolocation", "stoplocation", "stopaddress", "endpoint", "arrivallocation",
            "tofulladdress", "end", "stop", "finish",
        ],
        .originAddress: ["originaddress", "departureaddress"],
        .destinationAddress: ["destinationaddress", "arrivaladdress"],
        .startLatitude: ["startlat", "startlatitude", "fromlat", "fromlatitude", "originlat"],
        .startLongitude: [
            "startlon", "startlng", "startlongitude", "fromlon", "fromlng", "fromlongitude",
            "originlon", "originlng",
        ],
        .endLatitude: [
            "endlat", "endlatitude", "stoplat", "stoplatitude", "tolat", "tolatitude",
            "destinationlat",
        ],
        .endLongitude: [
            "endlon", "endlng", "endlongitude", "stoplon", "stoplng", "stoplongitude", "tolon",
            "tolng", "tolongitude", "destinationlon", "destinationlng",
        ],
        .title: ["title", "name", "tripname"],
        .purpose: ["purpose", "reason", "businesspurpose", "trippurpose", "purposeoftrip"],
        .notes: ["notes", "note", "comment", "comments", "description", "remarks"],
        .category: ["category", "tag", "tags"],
        .client: ["client", "customer", "company", "incomesource"],
        .tripClass: [
            "class", "classification", "type", "triptype", "typeoftrip", "workpersonal", "kind",
        ],
        .vehicle: ["vehicle", "car", "vehiclename", "licenseplate", "registration"],
        .driver: ["driver", "drivername", "drivenby"],
        .zone: ["timezone"],
        .parking: ["parking", "parkingfees"],
        .tolls: ["tolls", "toll", "tollfees"],
        .odometerStart: [
            "odometerstart", "startodometer", "startingodometer", "beginningodometer",
            "odometerbegin", "startmileage", "odostart", "start",
        ],
        .odometerEnd: [
            "odometerend", "endodometer", "endingodometer", "odometerstop", "endmileage", "odoend",
            "end",
        ],
        .amount: ["amount", "cost", "totalcost", "price", "totalprice", "paid", "total", "value"],
        .currency: ["currency", "currencycode"],
        .expenseKind: ["kind", "expensetype", "category", "type"],
        .trip: ["trip", "tripid"],
        .merchant: ["merchant", "vendor", "payee", "supplier", "station", "shop", "paidto"],
        .quantity: ["quantity", "liters", "litres", "kwh", "volume"],
        .quantityUnit: ["quantityunit"],
    ]

    /// The same in Dutch, German, French, Spanish and Italian.
    private static let foreignAliases: [ColumnMap.Field: [String]] = [
        .source: [
            "toestel", "gerät", "appareil", "dispositivo",
        ],
        .time: [
            "tijd", "tijdstip", "zeit", "zeitpunkt", "zeitstempel", "uhrzeit", "heure",
            "horodatage", "hora", "fechahora", "ora", "dataora", "utcdate", "dateutc",
            "datetimeutc", "datum", "datumtijd",
        ],
        .latitude: [
            "breedtegraad", "breite", "breitengrad", "latitud", "latitudine",
        ],
        .longitude: [
            "lengtegraad", "länge", "längengrad", "longitud", "longitudine",
        ],
        .accuracy: [
            "nauwkeurigheid", "genauigkeit", "précision", "precisión", "precisione",
        ],
        .altitude: [
            "hoogte", "höhe", "altitud", "altitudine", "gpsaltitude",
        ],
        .speed: [
            "snelheid", "geschwindigkeit", "vitesse", "velocidad", "velocità", "gpsspeed",
        ],
        .course: [
            "koers", "richting", "kurs", "richtung", "cap", "rumbo", "rotta",
        ],
        .startedAt: [
            "anfang", "vertrektijd", "begintijd", "starttijd", "vertrek", "startzeit", "beginn",
            "abfahrt",
            "abfahrtszeit", "heuredépart", "heurededépart", "départ", "horainicio", "horadesalida",
            "salida", "oradipartenza", "orapartenza", "partenza", "datum", "fecha", "data", "jour",
            "dag", "tag",
        ],
        .endedAt: [
            "aankomsttijd", "eindtijd", "aankomst", "endzeit", "ende", "ankunft", "ankunftszeit",
            "heurearrivée", "heuredarrivée", "arrivée", "horafin", "horadellegada", "llegada",
            "oradiarrivo", "oraarrivo", "arrivo",
        ],
        .duration: [
            "duur", "dauer", "durée", "duración", "durata",
        ],
        .distance: [
            "afstand", "gereden", "strecke", "entfernung", "distanz", "gefahrenekm", "kilomètres",
            "kilometers", "kilometer", "distancia", "kilómetros", "distanza", "chilometri",
        ],
        .origin: [
            "van", "vertrekadres", "vertrekplaats", "beginadres", "von", "startort",
            "startadresse", "abfahrtsort", "lieudedépart", "adressededépart", "origen", "desde",
            "da", "luogodipartenza", "vertrek", "abfahrt", "départ", "salida", "partenza",
        ],
        .destination: [
            "naar", "bestemming", "aankomstadres", "eindadres", "nach", "ziel", "zielort",
            "zieladresse", "lieudarrivée", "adressedarrivée", "destino", "hasta", "destinazione",
            "luogodiarrivo", "aankomst", "ankunft", "arrivée", "llegada", "arrivo",
        ],
        .purpose: [
            "doel", "reden", "zweck", "reisezweck", "fahrtzweck", "anlass", "motif", "objet",
            "motivo", "propósito", "scopo",
        ],
        .notes: [
            "notitie", "notities", "opmerking", "opmerkingen", "notiz", "notizen", "bemerkung",
            "bemerkungen", "remarque", "remarques", "nota", "notas", "observaciones",
        ],
        .category: [
            "categorie", "kategorie", "catégorie", "categoría", "categoria",
        ],
        .client: [
            "klant", "kunde", "geschäftspartner", "cliente",
        ],
        .tripClass: [
            "soort", "ritsoort", "soortrit", "art", "fahrtart", "typededéplacement", "tipo",
        ],
        .vehicle: [
            "voertuig", "auto", "kenteken", "fahrzeug", "kennzeichen", "véhicule",
            "immatriculation", "vehículo", "matrícula", "veicolo", "targa",
        ],
        .driver: ["bestuurder", "fahrer", "conducteur", "conductor", "conducente"],
        .zone: [
            "tijdzone", "zeitzone", "fuseauhoraire", "zonahoraria", "fusoorario",
        ],
        .parking: [
            "parkeren", "parkeerkosten", "parken", "parkgebühren", "stationnement", "aparcamiento",
            "parcheggio",
        ],
        .tolls: [
            "tol", "maut", "péage", "péages", "peaje", "peajes", "pedaggio", "pedaggi",
        ],
        .odometerStart: [
            "départ", "anfang", "beginn", "inicial", "iniziali", "beginstand", "kmstandbegin",
            "anfangsstand", "kilometerstandanfang", "kmstandanfang",
            "kmdépart", "kilométragedépart", "kminicial", "kminiziali",
        ],
        .odometerEnd: [
            "arrivée", "ende", "eind", "final", "finali", "eindstand", "kmstandeind", "endstand",
            "kilometerstandende", "kmstandende",
            "kmarrivée", "kilométragearrivée", "kmfinal", "kmfinali",
        ],
        .amount: [
            "bedrag", "betrag", "preis", "kosten", "summe", "montant", "prix", "importe", "precio",
            "importo", "prezzo", "prijs",
        ],
        .currency: ["valuta", "munt", "währung", "devise", "moneda", "divisa"],
        .expenseKind: [
            "soort", "categorie", "art", "kategorie", "catégorie", "tipo", "categoría", "categoria",
        ],
        .trip: ["rit", "ritid", "fahrt", "fahrtid", "trajet", "viaje", "viaggio"],
        .merchant: [
            "leverancier", "winkel", "händler", "empfänger", "tankstelle", "fournisseur",
            "commerçant", "proveedor", "comercio", "fornitore", "esercente",
        ],
        .quantity: ["liter", "litros", "litri"],
    ]
}
